#include "trntensor/tensor/zip_writer.hpp"

#define ZLIB_CONST  // input pointers that say they only read
#include <zlib.h>

#include <algorithm>
#include <array>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/little_endian.hpp"

namespace trntensor::io {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr std::uint64_t kDate1980 = 0x21;  // the epoch of zip, so that the same tensors give the same bytes
constexpr std::uint64_t kUtf8Name = 0x800;
constexpr std::uint64_t kIn64 = 0xffffffff;

class Deflater {
 public:
  explicit Deflater(AtomicFile& file) : file_(file) {
    if (deflateInit2(&state_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error(ErrorKind::kOutOfMemory, "no memory to compress a tensor");
    }
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&state_); }

  void append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), kPieceBytes);
      state_.next_in = reinterpret_cast<const Bytef*>(bytes.data());
      state_.avail_in = static_cast<uInt>(count);
      while (state_.avail_in > 0) step(Z_NO_FLUSH);
      bytes = bytes.subspan(count);
    }
  }
  void finish() {
    while (step(Z_FINISH) != Z_STREAM_END) {
    }
  }

 private:
  int step(int flush) {
    state_.next_out = reinterpret_cast<Bytef*>(piece_.data());
    state_.avail_out = static_cast<uInt>(piece_.size());
    const int status = deflate(&state_, flush);
    file_.append(std::span(piece_).first(piece_.size() - state_.avail_out));
    return status;
  }

  AtomicFile& file_;
  z_stream state_{};
  std::vector<std::byte> piece_ = std::vector<std::byte>(kPieceBytes);
};

std::uint64_t version_needed(bool in64) { return in64 ? 45 : 20; }

void append_name(LittleEndianWriter& record, const std::string& name) { record.bytes(std::as_bytes(std::span(name))); }

}  // namespace

void ZipWriter::add(const std::string& name, ZipMethod method, std::uint64_t expected_size,
                    const std::function<void(const Sink&)>& produce) {
  ZipEntry entry{name, kUtf8Name, static_cast<std::uint16_t>(method), 0, 0, 0, file_.size()};
  // Data that cannot be compressed grow a little, by less than an eighth.
  const bool in64 = expected_size + expected_size / 8 + 1024 >= zip64_from_;
  write_local_header(entry, in64);
  const std::uint64_t data_position = file_.size();
  uLong sum = crc32_z(0, nullptr, 0);
  const auto count = [&](std::span<const std::byte> bytes) {
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    entry.size += bytes.size();
  };
  if (method == ZipMethod::kDeflated) {
    Deflater deflater(file_);
    produce([&](std::span<const std::byte> bytes) {
      count(bytes);
      deflater.append(bytes);
    });
    deflater.finish();
  } else {
    produce([&](std::span<const std::byte> bytes) {
      count(bytes);
      file_.append(bytes);
    });
  }
  entry.crc = static_cast<std::uint32_t>(sum);
  entry.packed_size = file_.size() - data_position;
  write_local_header(entry, in64);
  entries_.push_back(std::move(entry));
}

// Written twice: before the data to make room, and after them when the sizes and the sum are known.
void ZipWriter::write_local_header(const ZipEntry& entry, bool in64) {
  LittleEndianWriter record;
  record.u32(0x04034b50).u16(version_needed(in64)).u16(entry.flags).u16(entry.method).u16(0).u16(kDate1980);
  record.u32(entry.crc).u32(in64 ? kIn64 : entry.packed_size).u32(in64 ? kIn64 : entry.size);
  record.u16(entry.name.size()).u16(in64 ? 20 : 0);
  append_name(record, entry.name);
  if (in64) record.u16(1).u16(16).u64(entry.size).u64(entry.packed_size);
  if (entry.position == file_.size()) {
    file_.append(record.result());
  } else {
    file_.overwrite(entry.position, record.result());
  }
}

void ZipWriter::write_directory_entry(const ZipEntry& entry) {
  LittleEndianWriter extra;
  const auto field = [&](std::uint64_t value) {
    if (value < zip64_from_) return value;
    extra.u64(value);
    return kIn64;
  };
  const std::uint64_t size = field(entry.size);
  const std::uint64_t packed_size = field(entry.packed_size);
  const std::uint64_t position = field(entry.position);
  const std::size_t extra_size = extra.result().size();
  const std::uint64_t version = version_needed(extra_size > 0);
  LittleEndianWriter record;
  record.u32(0x02014b50).u16(version).u16(version).u16(entry.flags).u16(entry.method).u16(0).u16(kDate1980);
  record.u32(entry.crc).u32(packed_size).u32(size).u16(entry.name.size()).u16(extra_size > 0 ? extra_size + 4 : 0);
  record.u16(0).u16(0).u16(0).u32(0).u32(position);  // comment, disk, attributes
  append_name(record, entry.name);
  if (extra_size > 0) record.u16(1).u16(extra_size).bytes(extra.result());
  file_.append(record.result());
}

void ZipWriter::write_end(std::uint64_t directory_position) {
  const std::uint64_t size = file_.size() - directory_position;
  const std::uint64_t count = entries_.size();
  LittleEndianWriter record;
  const bool in64 =
      count >= std::min<std::uint64_t>(0xffff, zip64_from_) || size >= zip64_from_ || directory_position >= zip64_from_;
  if (in64) {
    const std::uint64_t end64_position = file_.size();
    record.u32(0x06064b50).u64(44).u16(45).u16(45).u32(0).u32(0);
    record.u64(count).u64(count).u64(size).u64(directory_position);
    record.u32(0x07064b50).u32(0).u64(end64_position).u32(1);
  }
  const std::uint64_t short_count = in64 ? 0xffff : count;
  record.u32(0x06054b50).u16(0).u16(0).u16(short_count).u16(short_count);
  record.u32(in64 ? kIn64 : size).u32(in64 ? kIn64 : directory_position).u16(0);
  file_.append(record.result());
}

void ZipWriter::finish() {
  const std::uint64_t position = file_.size();
  for (const ZipEntry& entry : entries_) write_directory_entry(entry);
  write_end(position);
}

}  // namespace trntensor::io
