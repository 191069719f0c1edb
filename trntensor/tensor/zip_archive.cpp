#include "trntensor/tensor/zip_archive.hpp"

#include <fmt/format.h>
#define ZLIB_CONST  // input pointers that say they only read
#include <zlib.h>

#include <algorithm>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/messages.hpp"

namespace trntensor::io {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr std::uint16_t kEncrypted = 1;

[[noreturn]] void damaged(const std::string& name, const std::string& what) {
  throw_file_error(name, what, "the archive is damaged; get it again");
}

// Keeps the sum of the bytes that pass and compares it after the last one.
class CheckedStream : public ByteStream {
 protected:
  CheckedStream(std::string name, const ZipEntry& entry)
      : ByteStream(std::move(name), entry.size), left_(entry.size), expected_(entry.crc) {}

  virtual void unpack(std::span<std::byte> target) = 0;

 private:
  void fill(std::span<std::byte> target) final {
    unpack(target);
    sum_ = crc32_z(sum_, reinterpret_cast<const Bytef*>(target.data()), target.size());
    left_ -= target.size();
    if (left_ == 0 && sum_ != expected_) {
      damaged(name(), fmt::format("the checksum is {:08x}, the archive says {:08x}", sum_, expected_));
    }
  }

  std::uint64_t left_;
  uLong expected_;
  uLong sum_ = crc32_z(0, nullptr, 0);
};

class StoredStream final : public CheckedStream {
 public:
  StoredStream(const ByteSource& source, std::string name, std::uint64_t position, const ZipEntry& entry)
      : CheckedStream(std::move(name), entry), source_(source), position_(position) {}

 private:
  void unpack(std::span<std::byte> target) override {
    source_.read_at(position_, target);
    position_ += target.size();
  }

  const ByteSource& source_;
  std::uint64_t position_;
};

class InflateStream final : public CheckedStream {
 public:
  InflateStream(const ByteSource& source, const std::string& name, std::uint64_t position, const ZipEntry& entry)
      : CheckedStream(name, entry),
        packed_(source, name, position, entry.packed_size),
        unpacked_left_(entry.size),
        piece_(std::min<std::uint64_t>(kPieceBytes, entry.packed_size)) {
    if (inflateInit2(&state_, -MAX_WBITS) != Z_OK) {
      throw Error(ErrorKind::kOutOfMemory, name + ": no memory to unpack the member");
    }
  }
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;
  ~InflateStream() override { inflateEnd(&state_); }

 private:
  void unpack(std::span<std::byte> target) override {
    while (!target.empty()) {
      const std::size_t count = std::min(target.size(), kPieceBytes);
      inflate_piece(target.first(count));
      target = target.subspan(count);
    }
    if (unpacked_left_ == 0) check_end();
  }

  // Fills a piece whose size fits zlib's counters.
  void inflate_piece(std::span<std::byte> target) {
    state_.next_out = reinterpret_cast<Bytef*>(target.data());
    state_.avail_out = static_cast<uInt>(target.size());
    while (state_.avail_out > 0) {
      if (ended_) damaged(name(), "the packed data end before the size that the archive says");
      step();
    }
    unpacked_left_ -= target.size();
  }

  void step() {
    if (state_.avail_in == 0) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece_.size(), packed_.remaining()));
      if (count == 0) damaged(name(), "the packed data end in the middle of a block");
      packed_.read(std::span(piece_).first(count));
      state_.next_in = reinterpret_cast<Bytef*>(piece_.data());
      state_.avail_in = static_cast<uInt>(count);
    }
    const int status = inflate(&state_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) {
      damaged(name(), fmt::format("cannot be unpacked: {}", state_.msg != nullptr ? state_.msg : zError(status)));
    }
    ended_ = status == Z_STREAM_END;
  }

  // All bytes are out; the data must end here too, which the last block may have yet to say.
  void check_end() {
    std::byte surplus{};
    while (!ended_) {
      state_.next_out = reinterpret_cast<Bytef*>(&surplus);
      state_.avail_out = 1;
      step();
      if (state_.avail_out == 0) damaged(name(), "the packed data go on after the size that the archive says");
    }
    if (state_.avail_in > 0 || packed_.remaining() > 0) {
      damaged(name(), "the packed data are shorter than the archive says");
    }
  }

  SourceStream packed_;
  std::uint64_t unpacked_left_;
  std::vector<std::byte> piece_;
  z_stream state_{};
  bool ended_ = false;
};

}  // namespace

ZipArchive::ZipArchive(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), entries_(read_zip_directory(*source_)) {}

std::unique_ptr<ByteStream> ZipArchive::open(const ZipEntry& entry) const {
  const std::string name = fmt::format("{}, member \"{}\"", source_->name(), printable(entry.name));
  if ((entry.flags & kEncrypted) != 0) throw_unsupported(name + " is encrypted", {}, "decrypt the archive first");
  const std::uint64_t position = locate_zip_data(*source_, entry);
  if (entry.method == static_cast<std::uint16_t>(ZipMethod::kStored)) {
    return std::make_unique<StoredStream>(*source_, name, position, entry);
  }
  if (entry.method != static_cast<std::uint16_t>(ZipMethod::kDeflated)) {
    throw_unsupported(fmt::format("{} is packed by method {}", name, entry.method), {},
                      "write it with numpy.savez or numpy.savez_compressed");
  }
  return std::make_unique<InflateStream>(*source_, name, position, entry);
}

}  // namespace trntensor::io
