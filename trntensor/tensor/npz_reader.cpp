#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/messages.hpp"
#include "trntensor/tensor/npy_stream.hpp"
#include "trntensor/tensor/npz.hpp"
#include "trntensor/tensor/zip_archive.hpp"

namespace trntensor {
namespace {

constexpr std::string_view kSuffix = ".npy";

}  // namespace

NpzReader::NpzReader(const std::filesystem::path& path)
    : archive_(std::make_unique<io::ZipArchive>(io::open_file(path))) {
  collect_names();
}

NpzReader::NpzReader(std::span<const std::byte> bytes, const std::string& name)
    : archive_(std::make_unique<io::ZipArchive>(io::view_memory(bytes, name))) {
  collect_names();
}

NpzReader::NpzReader(NpzReader&&) noexcept = default;
NpzReader& NpzReader::operator=(NpzReader&&) noexcept = default;
NpzReader::~NpzReader() = default;

void NpzReader::collect_names() {
  for (const io::ZipEntry& entry : archive_->entries()) {
    if (entry.name.ends_with(kSuffix)) names_.push_back(entry.name.substr(0, entry.name.size() - kSuffix.size()));
  }
  std::vector<std::string> sorted = names_;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    io::throw_file_error(archive_->source().name(),
                         fmt::format("there are two members \"{}{}\"", io::printable(*twice), kSuffix),
                         "write the archive again with different names");
  }
}

std::size_t NpzReader::num_members() const noexcept { return archive_->entries().size(); }

bool NpzReader::contains(std::string_view name) const noexcept {
  return std::ranges::find(names_, name) != names_.end();
}

Tensor NpzReader::read(std::string_view name, std::optional<DType> raw_as) const {
  const std::string member = fmt::format("{}{}", name, kSuffix);
  const auto entry = std::ranges::find(archive_->entries(), member, &io::ZipEntry::name);
  if (entry == archive_->entries().end()) {
    throw_invalid(fmt::format("{}: there is no array \"{}\"", archive_->source().name(), io::printable(name)), {},
                  io::name_list(names_));
  }
  const std::unique_ptr<io::ByteStream> stream = archive_->open(*entry);
  Tensor tensor = io::read_npy_stream(*stream, raw_as);
  if (stream->remaining() > 0) {
    io::throw_file_error(stream->name(), fmt::format("{} bytes follow the array", stream->remaining()),
                         "the archive is damaged; write it again");
  }
  return tensor;
}

std::vector<NamedTensor> NpzReader::read_all(std::optional<DType> raw_as) const {
  std::vector<NamedTensor> tensors;
  for (const std::string& name : names_) tensors.push_back({name, read(name, raw_as)});
  return tensors;
}

}  // namespace trntensor
