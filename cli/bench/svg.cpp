#include "cli/bench/svg.hpp"

#include <fmt/format.h>

#include "cli/table.hpp"

namespace trntensor::cli::bench {
namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char letter : without_controls(text)) {
    switch (letter) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  }
  return safe;
}

std::string_view to_string(Anchor anchor) {
  switch (anchor) {
    case Anchor::kMiddle:
      return "middle";
    case Anchor::kEnd:
      return "end";
    default:
      return "start";
  }
}

}  // namespace

void Svg::line(Point from, Point to, std::string_view colour, double width) {
  body_ += fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="{}"/>)",
                       from.x, from.y, to.x, to.y, colour, width);
  body_ += '\n';
}

void Svg::rectangle(Point corner, double width, double height, std::string_view colour) {
  body_ += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)", corner.x, corner.y,
                       width, height, colour);
  body_ += '\n';
}

void Svg::circle(Point centre, double radius, std::string_view colour, bool filled, std::string_view tooltip) {
  body_ += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}" stroke="{}" fill="{}"><title>{}</title></circle>)",
                       centre.x, centre.y, radius, colour, filled ? colour : "none", escaped(tooltip));
  body_ += '\n';
}

void Svg::text(Point at, std::string_view words, Anchor anchor, int size) {
  body_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" font-size="{}" text-anchor="{}">{}</text>)", at.x, at.y, size,
                       to_string(anchor), escaped(words));
  body_ += '\n';
}

std::string Svg::document() const {
  return fmt::format(
             R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" font-family="sans-serif">
<rect width="100%" height="100%" fill="white"/>
)",
             width_, height_) +
         body_ + "</svg>\n";
}

}  // namespace trntensor::cli::bench
