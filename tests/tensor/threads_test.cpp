// Readers and tensors used by several threads at once.
#include <gtest/gtest.h>

#include <thread>

#include "tests/tensor/file_fixtures.hpp"
#include "trntensor/tensor/convert.hpp"
#include "trntensor/tensor/hdf5.hpp"
#include "trntensor/tensor/npz.hpp"

namespace trntensor {
namespace {

using testing::fixture;
using testing::TemporaryFolder;

TEST(NpzReader, IsReadByThreadsAtOnce) {
  const NpzReader reader(fixture("big.npz"));
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 20; ++turn) testing::expect_fixture(reader.read("complex128"), DType::kComplex128);
    });
  }
}

TEST(Hdf5, ThreadsTakeTurns) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      const TemporaryFolder folder;
      for (int turn = 0; turn < 10; ++turn) {
        const NamedTensor tensors[] = {{"a", Tensor::zeros(Shape{i + 1}, DType::kFloat64)}};
        save_hdf5(folder / "a.h5", tensors);
        EXPECT_EQ(load_hdf5(folder / "a.h5", "a").size(), i + 1);
        testing::expect_fixture(load_hdf5(fixture("h5py.h5"), "big/float16"), DType::kFloat16);
      }
    });
  }
}

TEST(Tensor, IsSharedAndReadByThreads) {
  const Tensor tensor = testing::fixture_tensor(DType::kBFloat16);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([tensor] {
      for (int turn = 0; turn < 200; ++turn) {
        const Tensor view = tensor.permute({1, 0}).astype(DType::kFloat32).permute({1, 0});
        testing::expect_fixture(view, DType::kFloat32);
      }
    });
  }
}

}  // namespace
}  // namespace trntensor
