// A picture in SVG, element by element.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trntensor::cli::bench {

struct Point {
  double x = 0;
  double y = 0;
};

enum class Anchor : std::uint8_t { kStart, kMiddle, kEnd };

/// Coordinates are pixels from the upper left corner. Text is escaped.
class Svg {
 public:
  Svg(double width, double height) : width_(width), height_(height) {}

  void line(Point from, Point to, std::string_view colour, double width = 1);
  void rectangle(Point corner, double width, double height, std::string_view colour);
  void circle(Point centre, double radius, std::string_view colour, bool filled, std::string_view tooltip);
  void text(Point at, std::string_view words, Anchor anchor = Anchor::kStart, int size = 11);

  /// The whole document.
  [[nodiscard]] std::string document() const;

 private:
  double width_;
  double height_;
  std::string body_;
};

}  // namespace trntensor::cli::bench
