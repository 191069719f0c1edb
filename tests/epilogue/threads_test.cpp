// Any number of threads gives the same bits; work can be cancelled and watched; results are not held.
#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "tests/common/random_tensor.hpp"
#include "trntensor/dispatch/epilogue.hpp"

namespace trntensor {
namespace {

using epilogue::element;
using epilogue::exp;
using epilogue::max;
using epilogue::sum;
using testing::random_tensor;

Tensor draw(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  return random_tensor(random, shape, DType::kFloat64, {.strides = testing::StrideKind::kContiguous});
}

Expression softmax() {
  const Expression shifted = exp(element() - max("j", element()));
  return shifted / sum("j", shifted);
}

TEST(EpilogueThreads, EveryCountGivesTheSameBits) {
  const Tensor q = draw({1500, 24}, 1);
  const Tensor k = draw({900, 24}, 2);
  const Tensor B = draw({20, 30, 40}, 3);
  const std::vector<TensorView> pair{B, B};
  const Expression x = element();
  const std::vector<Expression> energies{sum("ab", x * (x - element("ibja"))), sum("iajb", x * x), max("ia", x)};
  const auto alone = einsum_with_epilogue("ik,jk->ij", {q, k}, softmax(), {}, {.num_threads = 1}).to_vector<double>();
  const EpilogueResults expected = einsum_with_epilogues("iaP,jbP->iajb", pair, energies, {}, {.num_threads = 1});
  for (const int threads : {2, 3, 8}) {
    const EpilogueOptions options{.num_threads = threads};
    EXPECT_EQ(einsum_with_epilogue("ik,jk->ij", {q, k}, softmax(), {}, options).to_vector<double>(), alone);
    const EpilogueResults results = einsum_with_epilogues("iaP,jbP->iajb", pair, energies, {}, options);
    for (std::size_t e = 0; e < energies.size(); ++e) {
      EXPECT_EQ(results.tensors[e].to_vector<double>(), expected.tensors[e].to_vector<double>()) << threads;
    }
  }
}

// Blocks share the arrays of these sums, which the limit leaves room for once.
TEST(EpilogueThreads, SharedArraysAreAddedToInOneOrder) {
  const Tensor B = draw({12, 30, 10}, 8);
  const Tensor C = draw({12, 30, 10}, 9);
  const Expression x = element();
  const std::vector<Expression> sums{sum("j", x * x), sum("ia", exp(x * 0.1)), max("jb", x), sum("ab", x)};
  const std::vector<Expression> symmetric{sum("ab", x * (x - element("ibja"))), sum("iajb", x * x)};
  for (const bool same : {true, false}) {
    const std::vector<TensorView> operands{B, same ? B : C};
    const std::vector<Expression>& expressions = same ? symmetric : sums;
    const std::int64_t limit = same ? 30 * 30 * 8 + 12 * 12 * 8 + 200 : 12 * 30 * 30 * 8 + 12 * 30 * 16 + 2000;
    const EpilogueResults wanted =
        einsum_with_epilogues("iaP,jbP->iajb", operands, expressions, {}, {.memory_limit = limit, .num_threads = 1});
    const EpilogueResults free = einsum_with_epilogues("iaP,jbP->iajb", operands, expressions);
    for (const int threads : {2, 3, 8}) {
      const EpilogueResults results = einsum_with_epilogues("iaP,jbP->iajb", operands, expressions, {},
                                                            {.memory_limit = limit, .num_threads = threads});
      for (std::size_t e = 0; e < expressions.size(); ++e) {
        const auto got = results.tensors[e].to_vector<double>();
        EXPECT_EQ(got, wanted.tensors[e].to_vector<double>()) << threads << " threads, " << expressions[e].to_string();
        const auto other = free.tensors[e].to_vector<double>();
        for (std::size_t n = 0; n < got.size(); ++n) ASSERT_NEAR(got[n], other[n], 1e-12 * 12 * 30 * 12 * 30 * 30);
      }
    }
  }
}

TEST(EpilogueThreads, SymmetricWorkIsHalved) {
  const Tensor B = draw({24, 40, 30}, 4);
  const Tensor C = B.clone();
  const std::vector<TensorView> same{B, B};
  const std::vector<TensorView> others{B, C};
  const std::vector<Expression> energy{sum("ab", element() * element("ibja"))};
  const EpilogueResults half = einsum_with_epilogues("iaP,jbP->iajb", same, energy);
  const EpilogueResults full = einsum_with_epilogues("iaP,jbP->iajb", others, energy);
  EXPECT_LT(half.flops, 0.65 * full.flops);
  EXPECT_EQ(full.flops, 2.0 * 24 * 40 * 24 * 40 * 30);
  const auto got = half.tensors[0].to_vector<double>();
  const auto wanted = full.tensors[0].to_vector<double>();
  for (std::size_t n = 0; n < got.size(); ++n) EXPECT_NEAR(got[n], wanted[n], 1e-11 * std::abs(wanted[0]));
}

TEST(EpilogueThreads, ProgressCountsUpToAllBlocks) {
  const Tensor q = draw({2000, 8}, 5);
  std::int64_t last = 0;
  std::int64_t total = -1;
  EpilogueOptions options;
  options.num_threads = 3;
  options.progress = [&](std::int64_t done, std::int64_t of) {
    EXPECT_EQ(done, last + 1);
    last = done;
    total = of;
  };
  einsum_with_epilogue("ik,jk->ij", {q, q}, sum("ij", element()), {}, options);
  EXPECT_EQ(last, total);
  EXPECT_GT(total, 10);
}

TEST(EpilogueThreads, AStoppedTokenEndsTheWork) {
  const Tensor q = draw({2000, 8}, 6);
  std::stop_source source;
  int calls = 0;
  EpilogueOptions options{.num_threads = 2, .stop = source.get_token()};
  options.progress = [&](std::int64_t, std::int64_t) {
    ++calls;
    source.request_stop();
  };
  testing::expect_error(ErrorKind::kCancelled, {"cancelled"},
                        [&] { einsum_with_epilogue("ik,jk->ij", {q, q}, sum("ij", element()), {}, options); });
  EXPECT_LE(calls, 2) << "at most the blocks that were in work are finished";
}

TEST(EpilogueThreads, AStoppedTokenEndsTheWaitForATurn) {
  const Tensor q = draw({700, 8}, 10);
  std::stop_source source;
  EpilogueOptions options{.memory_limit = 700 * 8 + 64, .num_threads = 4, .stop = source.get_token()};
  options.progress = [&](std::int64_t done, std::int64_t) {
    if (done == 20) source.request_stop();
  };
  testing::expect_error(ErrorKind::kCancelled, {"cancelled"},
                        [&] { einsum_with_epilogue("ik,jk->ij", {q, q}, sum("i", element()), {}, options); });
}

TEST(EpilogueThreads, BlocksAreSmall) {
  const Tensor q = draw({3000, 16}, 7);
  const std::vector<TensorView> views{q, q};
  const std::vector<Expression> trace{sum("ij", exp(element() * 0.01))};
  const EpilogueResults results = einsum_with_epilogues("ik,jk->ij", views, trace, {}, {.num_threads = 1});
  EXPECT_LE(results.block_bytes, 3000 * 3000 * 8 / 40);
  const EpilogueResults less =
      einsum_with_epilogues("ik,jk->ij", views, trace, {}, {.memory_limit = std::int64_t{64} << 10, .num_threads = 8});
  EXPECT_LE(less.block_bytes, 64 << 10);
}

}  // namespace
}  // namespace trntensor
