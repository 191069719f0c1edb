#include "trntensor/tensor/zip_directory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/little_endian.hpp"
#include "trntensor/tensor/messages.hpp"

namespace trntensor::io {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kEnd64Locator = 0x07064b50;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kMaxComment = 65535;
constexpr std::uint64_t kMaxRatio = 1032;  // what one deflated bit pair can stand for at most: 258 bytes from 2 bits
constexpr std::uint32_t kIn64 = 0xffffffff;

constexpr const char* kDamaged = "the archive is cut off or damaged; get it again";

// Where the directory lies, from the records at the end of the file.
struct Location {
  std::uint64_t position = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
  std::uint64_t end = 0;  // of what members and directory may use
};

[[noreturn]] void damaged(const ByteSource& source, const std::string& what) {
  throw_file_error(source.name(), what, kDamaged);
}

std::vector<std::byte> read(const ByteSource& source, std::uint64_t position, std::size_t size) {
  std::vector<std::byte> bytes(size);
  source.read_at(position, bytes);
  return bytes;
}

// The end record is the last thing in the file but for its own comment.
std::uint64_t find_end(const ByteSource& source) {
  const auto window = static_cast<std::size_t>(std::min<std::uint64_t>(source.size(), kEndSize + kMaxComment));
  const std::vector<std::byte> tail = read(source, source.size() - window, window);
  const std::span<const std::byte> bytes = tail;
  for (std::size_t comment = 0; comment + kEndSize <= window; ++comment) {
    const std::size_t start = window - kEndSize - comment;
    LittleEndianReader record(bytes.subspan(start, kEndSize));
    if (record.u32() != kEnd) continue;
    record.take(16);
    if (record.u16() == comment) return source.size() - window + start;
  }
  damaged(source, "has no zip end record, so it is no .npz file");
}

Location read_end64(const ByteSource& source, std::uint64_t end) {
  if (end < kLocatorSize) damaged(source, "the zip64 end record is missing");
  const std::vector<std::byte> locator_bytes = read(source, end - kLocatorSize, kLocatorSize);
  LittleEndianReader locator(locator_bytes);
  const bool is_locator = locator.u32() == kEnd64Locator;
  locator.u32();
  const std::uint64_t position = locator.u64();
  if (!is_locator || position > end - kLocatorSize || end - kLocatorSize - position < kEnd64Size) {
    damaged(source, "the zip64 end record is missing");
  }
  const std::vector<std::byte> bytes = read(source, position, kEnd64Size);
  LittleEndianReader record(bytes);
  if (record.u32() != kEnd64) damaged(source, "the zip64 end record is missing");
  record.take(12);
  const std::uint32_t disk = record.u32();
  const std::uint32_t directory_disk = record.u32();
  const std::uint64_t here = record.u64();
  Location location;
  location.entries = record.u64();
  location.size = record.u64();
  location.position = record.u64();
  location.end = position;
  if (disk != 0 || directory_disk != 0 || here != location.entries) {
    throw_unsupported(source.name() + ": the archive is in several parts", {}, "join the parts");
  }
  return location;
}

Location locate_directory(const ByteSource& source) {
  const std::uint64_t end = find_end(source);
  const std::vector<std::byte> bytes = read(source, end, kEndSize);
  LittleEndianReader record(bytes);
  record.u32();
  const std::uint16_t disk = record.u16();
  const std::uint16_t directory_disk = record.u16();
  const std::uint16_t here = record.u16();
  Location location;
  location.entries = record.u16();
  location.size = record.u32();
  location.position = record.u32();
  location.end = end;
  if (location.entries == 0xffff || location.size == kIn64 || location.position == kIn64) {
    location = read_end64(source, end);
  } else if (disk != 0 || directory_disk != 0 || here != location.entries) {
    throw_unsupported(source.name() + ": the archive is in several parts", {}, "join the parts");
  }
  if (location.position > location.end || location.size > location.end - location.position ||
      location.entries > location.size / kCentralSize) {
    damaged(source, fmt::format("the zip directory claims {} members in {} bytes at byte {}, which do not fit",
                                location.entries, location.size, location.position));
  }
  return location;
}

// The zip64 extra field holds, in this order, those of the three that the fixed fields have no room for.
void read_extra64(std::span<const std::byte> extra, ZipEntry& entry) {
  LittleEndianReader fields(extra);
  while (fields.left() >= 4) {
    const std::uint16_t id = fields.u16();
    LittleEndianReader field(fields.take(fields.u16()));
    if (id != 1) continue;
    if (entry.size == kIn64) entry.size = field.u64();
    if (entry.packed_size == kIn64) entry.packed_size = field.u64();
    if (entry.position == kIn64) entry.position = field.u64();
    return;
  }
}

ZipEntry read_entry(LittleEndianReader& directory, const ByteSource& source) {
  ZipEntry entry;
  const bool is_entry = directory.u32() == kCentralHeader;
  directory.take(4);  // versions
  entry.flags = directory.u16();
  entry.method = directory.u16();
  directory.take(4);  // time and date
  entry.crc = directory.u32();
  entry.packed_size = directory.u32();
  entry.size = directory.u32();
  const std::uint16_t name_size = directory.u16();
  const std::uint16_t extra_size = directory.u16();
  const std::uint16_t comment_size = directory.u16();
  directory.take(8);  // disk and attributes
  entry.position = directory.u32();
  const auto name = directory.take(name_size);
  entry.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  read_extra64(directory.take(extra_size), entry);
  directory.take(comment_size);
  if (!is_entry || !directory.good()) damaged(source, "the zip directory is damaged");
  return entry;
}

// Members must lie one behind the other: bytes used twice would let a small file claim unbounded data.
void check_places(const std::vector<ZipEntry>& entries, const ByteSource& source, std::uint64_t end) {
  std::vector<const ZipEntry*> ordered;
  for (const ZipEntry& entry : entries) ordered.push_back(&entry);
  std::ranges::sort(ordered, {}, &ZipEntry::position);
  for (std::size_t i = ordered.size(); i-- > 0;) {
    const ZipEntry& entry = *ordered[i];
    const std::uint64_t headers = kLocalSize + entry.name.size();
    if (entry.position > end || headers > end - entry.position || entry.packed_size > end - entry.position - headers) {
      damaged(source, fmt::format("member \"{}\" claims {} bytes at byte {}, which overlap what follows",
                                  printable(entry.name), entry.packed_size, entry.position));
    }
    end = entry.position;
  }
}

void check_size(const ZipEntry& entry, const ByteSource& source) {
  const bool stored = entry.method == static_cast<std::uint16_t>(ZipMethod::kStored);
  const bool deflated = entry.method == static_cast<std::uint16_t>(ZipMethod::kDeflated);
  if ((stored && entry.size != entry.packed_size) || (deflated && entry.size / kMaxRatio > entry.packed_size)) {
    damaged(source, fmt::format("member \"{}\" claims {} bytes from {} packed ones, which cannot be",
                                printable(entry.name), entry.size, entry.packed_size));
  }
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(const ByteSource& source) {
  const Location location = locate_directory(source);
  const std::vector<std::byte> bytes = read(source, location.position, static_cast<std::size_t>(location.size));
  LittleEndianReader directory(bytes);
  std::vector<ZipEntry> entries;
  for (std::uint64_t i = 0; i < location.entries; ++i) {
    entries.push_back(read_entry(directory, source));
    check_size(entries.back(), source);
  }
  check_places(entries, source, location.position);
  return entries;
}

std::uint64_t locate_zip_data(const ByteSource& source, const ZipEntry& entry) {
  const std::vector<std::byte> bytes = read(source, entry.position, kLocalSize + entry.name.size());
  LittleEndianReader header(bytes);
  const bool is_header = header.u32() == kLocalHeader;
  header.take(22);
  const std::uint16_t name_size = header.u16();
  const std::uint16_t extra_size = header.u16();
  const auto name = header.take(entry.name.size());
  if (!is_header || name_size != entry.name.size() || !std::ranges::equal(name, std::as_bytes(std::span(entry.name)))) {
    damaged(source, fmt::format("member \"{}\" is not where the zip directory says", printable(entry.name)));
  }
  return entry.position + kLocalSize + name_size + extra_size;
}

}  // namespace trntensor::io
