// trntensor einsum: values, files, printing, options, errors.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <numeric>

#include "tests/cli/program.hpp"
#include "trntensor/tensor/files.hpp"
#include "trntensor/tensor/hdf5.hpp"
#include "trntensor/tensor/npy.hpp"
#include "trntensor/tensor/npz.hpp"
#include "trntensor/tensor/zip_writer.hpp"

namespace trntensor::testing {
namespace {

using Einsum = ProgramTest;

Tensor matrix(std::initializer_list<double> values) {
  return Tensor::from_values<double>({2, static_cast<std::int64_t>(values.size()) / 2}, values);
}

const Tensor first_matrix = matrix({1, 2, 3, 4});
const Tensor second_matrix = matrix({0.5, -1, 2, 0.25});

TEST_F(Einsum, PrintsSmallResultsAsNumPyDoes) {
  const std::string a = save("a", first_matrix);
  const std::string b = save("b", second_matrix);
  EXPECT_EQ(run({"einsum", "ij,jk->ik", a, b}).out, "[[ 4.5 -0.5]\n [ 9.5 -2. ]]\n");
  EXPECT_EQ(run({"einsum", "ii", a}).out, "5.\n");
  EXPECT_EQ(run({"einsum", "ij,ij->", a, b, "--dtype", "f32"}).out, "5.5\n");
  EXPECT_EQ(run({"einsum", "ij,k->ijk", a, save("v", Tensor::from_values<double>({2}, {1, 10}))}).out,
            "[[[ 1. 10.]\n  [ 2. 20.]]\n\n [[ 3. 30.]\n  [ 4. 40.]]]\n");
}

TEST_F(Einsum, PrintsEveryTypeAsNumPyDoes) {
  const auto print = [&](const Tensor& tensor) { return run({"einsum", "...->...", save("x", tensor)}).out; };
  EXPECT_EQ(print(Tensor::from_values<std::int64_t>({3}, {7, -120, 9007199254740993})),
            "[               7             -120 9007199254740993]\n");
  EXPECT_EQ(print(Tensor::from_values<std::uint64_t>({1}, {18446744073709551615U})), "[18446744073709551615]\n");
  EXPECT_EQ(print(Tensor::from_values<bool>({2}, {true, false})), "[ True False]\n");
  EXPECT_EQ(print(Tensor::from_values<float>({3}, {0.1F, 1.0F, 2.5F})), "[0.1 1.  2.5]\n");
  EXPECT_EQ(print(Tensor::from_values<double>({3}, {1e-9, 1.5, -3.0})), "[ 1.0e-09  1.5e+00 -3.0e+00]\n");
  EXPECT_EQ(print(Tensor::from_values<double>({3}, {NAN, -INFINITY, 1.25})), "[ nan -inf 1.25]\n");
  EXPECT_EQ(print(Tensor::from_values<std::complex<double>>({2}, {{1, 2}, {-0.5, -1}})), "[ 1. +2.j -0.5-1.j]\n");
  EXPECT_EQ(print(Tensor::zeros({0, 3}, DType::kFloat32)), "[] of shape (0, 3)\n");
}

TEST_F(Einsum, CutsLargeResultsAndSaysSo) {
  Tensor large = Tensor::empty({40, 50}, DType::kInt64);
  std::iota(large.data_as<std::int64_t>(), large.data_as<std::int64_t>() + large.size(), std::int64_t{0});
  const Outcome outcome = run({"einsum", "ij->ij", save("large", large)});
  EXPECT_EQ(outcome.out,
            "[[   0    1    2 ...   47   48   49]\n"
            " [  50   51   52 ...   97   98   99]\n"
            " [ 100  101  102 ...  147  148  149]\n"
            " ...\n"
            " [1850 1851 1852 ... 1897 1898 1899]\n"
            " [1900 1901 1902 ... 1947 1948 1949]\n"
            " [1950 1951 1952 ... 1997 1998 1999]]\n"
            "shape (40, 50), int64; -o FILE keeps all of it\n");
}

TEST_F(Einsum, WrapsLongRows) {
  const Outcome outcome = run({"einsum", "i->i", save("ones", Tensor::full({100}, 1.0, DType::kInt32))});
  std::istringstream lines(outcome.out);
  std::string line;
  std::size_t ones = 0;
  while (std::getline(lines, line)) {
    EXPECT_LE(line.size(), 75U);
    ones += static_cast<std::size_t>(std::count(line.begin(), line.end(), '1'));
  }
  EXPECT_EQ(ones, 100U);
}

TEST_F(Einsum, WritesTheFormatOfTheExtension) {
  const std::string a = save("a", first_matrix);
  const std::string b = save("b", second_matrix);
  for (const char* name : {"c.npy", "c.npz", "c.h5"}) {
    const Outcome outcome = run({"einsum", "ij,jk->ik", a, b, "-o", name});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, std::string("wrote ") + name + ": float64 (2, 2)\n");
    EXPECT_EQ(load_tensor(path(name)).to_vector<double>(), (std::vector<double>{4.5, -0.5, 9.5, -2})) << name;
  }
}

TEST_F(Einsum, ReadsMembersOfArchivesAndFolders) {
  const std::vector<NamedTensor> members = {{"a", first_matrix}, {"b", second_matrix}};
  save_npz(path("both.npz"), members);
  save_hdf5(path("both.h5"), std::vector<NamedTensor>{{"group/a", first_matrix}, {"b", second_matrix}});
  std::filesystem::create_directory(path("folder"));
  save_npy(path("folder/a.npy"), first_matrix);
  save_npy(path("folder/b.npy"), second_matrix);
  const std::string expected = "[[ 4.5 -0.5]\n [ 9.5 -2. ]]\n";
  EXPECT_EQ(run({"einsum", "ij,jk->ik", "both.npz:a", "both.npz:b"}).out, expected);
  EXPECT_EQ(run({"einsum", "ij,jk->ik", "both.h5:group/a", "both.h5:b"}).out, expected);
  EXPECT_EQ(run({"einsum", "ij,jk->ik", "folder:a", "both.h5:b"}).out, expected);
  expect_refused({"einsum", "ij->ji", "both.npz"}, {"both.npz", "a", "b"});
  expect_refused({"einsum", "ij->ji", "both.npz:c"}, {"both.npz", "\"c\""});
}

TEST_F(Einsum, ReadsTypesThatNumPyHasNoNameFor) {
  const std::string a = save("a", first_matrix);
  ASSERT_EQ(run({"einsum", "ij->ji", a, "--dtype", "bf16", "-o", "half.npy"}).exit_code, 0);
  EXPECT_EQ(run({"einsum", "ij->ij", "half.npy", "--raw-as", "bf16", "--dtype", "f32"}).out, "[[1. 3.]\n [2. 4.]]\n");
  expect_refused({"einsum", "ij->ij", "half.npy"}, {"half.npy", "raw bytes", "raw_as", "bfloat16"});
  expect_refused({"einsum", "ij->ij", "half.npy", "--raw-as", "fp8"}, {"fp8"});
  expect_refused({"einsum", "ij->ij", "half.npy", "--raw-as", "float8_e5m2"}, {"2 raw bytes"});
}

TEST_F(Einsum, AFileNameMayHaveColons) {
  save("x:y", first_matrix);
  EXPECT_EQ(run({"einsum", "ii->", "x:y.npy"}).out, "5.\n");
}

TEST_F(Einsum, ScalesAndAccumulatesIntoAFile) {
  const std::string a = save("a", first_matrix);
  const std::string sum = save("sum", Tensor::full({2, 2}, 100.0, DType::kFloat64));
  const auto values = [&] { return load_tensor(path("sum.npy")).to_vector<double>(); };
  EXPECT_EQ(run({"einsum", "ij->ji", a, "--accumulate-into", sum}).exit_code, 0);
  EXPECT_EQ(values(), (std::vector<double>{101, 103, 102, 104}));
  EXPECT_EQ(run({"einsum", "ij->ij", a, "--accumulate-into", sum, "--alpha", "-2", "--beta", "0.5"}).exit_code, 0);
  EXPECT_EQ(values(), (std::vector<double>{48.5, 47.5, 45, 44}));
  EXPECT_EQ(run({"einsum", "ij->ij", a, "--accumulate-into", sum, "-o", "other.npy"}).exit_code, 0);
  EXPECT_EQ(values(), (std::vector<double>{48.5, 47.5, 45, 44})) << "with -o the file is only read";
  EXPECT_EQ(load_tensor(path("other.npy")).to_vector<double>(), (std::vector<double>{49.5, 49.5, 48, 48}));
  EXPECT_EQ(run({"einsum", "ij->ij", a, "--alpha", "1e-1"}).out, "[[0.1 0.2]\n [0.3 0.4]]\n");
  EXPECT_EQ(run({"einsum", "ii", a, "--alpha", "1-2j", "--dtype", "c128"}).out, "5.-10.j\n");
}

TEST_F(Einsum, PrecisionKahanKeepsWhatFloat32Loses) {
  const std::string x = save("x", Tensor::from_values<float>({4}, {1e8F, 1.0F, -1e8F, 1.0F}));
  EXPECT_EQ(run({"einsum", "i->", x, "--precision", "kahan"}).out, "2.\n");
}

TEST_F(Einsum, PrecisionDdKeepsWhatKahanLoses) {
  const std::string x = save("x", Tensor::from_values<double>({6}, {0x1p120, 0x1p60, 1.0, 0.5, -0x1p120, -0x1p60}));
  EXPECT_EQ(run({"einsum", "i->", x, "--precision", "dd"}).out, "1.5\n");
}

TEST_F(Einsum, PrecisionSrGoesToNeighboursBySeed) {
  const std::string x = save("x", Tensor::from_values<float>({2}, {16777216.0F, 0.5F}));
  int ups = 0;
  for (int seed = 0; seed < 40; ++seed) {
    const std::vector<std::string> call{"einsum", "i->", x, "--precision", "sr", "--seed", std::to_string(seed)};
    const std::string text = run(call).out;
    EXPECT_TRUE(text == "16777216.\n" || text == "16777218.\n") << text;
    EXPECT_EQ(run(call).out, text);
    ups += text == "16777218.\n" ? 1 : 0;
  }
  EXPECT_GT(ups, 0);  // a quarter of the way up: both come up in 40 draws but for one time in 10^5
  EXPECT_LT(ups, 40);
}

TEST_F(Einsum, TargetErrorChoosesThePrecision) {
  const std::string x = save("x", Tensor::from_values<float>({4}, {1e8F, 1.0F, -1e8F, 1.0F}));
  const auto object = run({"einsum", "i->", x, "--target-error", "1e-7", "--json"}).json();
  EXPECT_EQ(object["precision"], "kahan");
  EXPECT_LE(object["error_bound"].get<double>(), 1e-7);
  EXPECT_EQ(run({"einsum", "i->", x, "--target-error", "1e-3", "--json"}).json()["precision"], "fast");
}

TEST_F(Einsum, JsonHasTheNamesOfTheManual) {
  const std::string a = save("a", first_matrix);
  const std::string b = save("b", second_matrix);
  const auto object = run({"einsum", "ij,jk->ik", a, b, "--json"}).json();
  EXPECT_EQ(keys(object), (std::vector<std::string>{"subscripts", "path", "shape", "dtype", "output", "values",
                                                    "precision", "error_bound", "flops", "seconds", "gflops"}));
  EXPECT_EQ(object["subscripts"], "ij,jk->ik");
  EXPECT_EQ(object["path"], nlohmann::ordered_json::parse("[[0, 1]]"));
  EXPECT_EQ(object["shape"], nlohmann::ordered_json::parse("[2, 2]"));
  EXPECT_EQ(object["dtype"], "float64");
  EXPECT_TRUE(object["output"].is_null());
  EXPECT_EQ(object["values"], nlohmann::ordered_json::parse("[[4.5, -0.5], [9.5, -2.0]]"));
  EXPECT_EQ(object["flops"], 16);
  EXPECT_GT(object["seconds"], 0.0);
  EXPECT_GT(object["gflops"], 0.0);
  const auto written = run({"einsum", "ij,jk->ik", a, b, "--json", "-o", "c.npy"}).json();
  EXPECT_EQ(written["output"], "c.npy");
  EXPECT_TRUE(written["values"].is_null());
}

TEST_F(Einsum, JsonValuesThatAreNotFiniteAreNull) {
  const std::string x = save("x", Tensor::from_values<double>({3}, {NAN, INFINITY, 1.5}));
  EXPECT_EQ(run({"einsum", "i->i", x, "--json"}).json()["values"], nlohmann::ordered_json::parse("[null, null, 1.5]"));
  const std::string z = save("z", Tensor::from_values<std::complex<double>>({1}, {{1, 2}}));
  EXPECT_EQ(run({"einsum", "i->i", z, "--json"}).json()["values"], nlohmann::ordered_json::parse("[[1.0, 2.0]]"));
  const std::string n = save("n", Tensor::from_values<std::int64_t>({1}, {9007199254740993}));
  EXPECT_EQ(run({"einsum", "i->i", n, "--json"}).json()["values"][0], 9007199254740993);
}

TEST_F(Einsum, SubscriptsThatBeginWithAMinusFollowADoubleOne) {
  EXPECT_EQ(run({"einsum", "--", "->", save("x", Tensor::scalar(2.5))}).out, "2.5\n");
}

TEST_F(Einsum, MistakesInTheNotationHaveACaret) {
  const std::string a = save("a", first_matrix);
  expect_refused({"einsum", "ij,jk->ix", a, a}, {"ij,jk->ix", "^", "x"});
  expect_refused({"einsum", "ijk->", a}, {"ijk->", "^"});
  expect_refused({"einsum", "ij,jk->ik", a}, {"operand"});
}

TEST_F(Einsum, MistakesInFilesNameThem) {
  const std::string a = save("a", first_matrix);
  expect_refused({"einsum", "ij->ji", "missing.npy"}, {"missing.npy"});
  expect_refused({"einsum", "ij->ji", "a.txt"}, {"a.txt"});
  std::ofstream(path("broken.npy")) << "no array";
  expect_refused({"einsum", "ij->ji", "broken.npy"}, {"broken.npy"});
  expect_refused({"einsum", "ij->ji", a, "-o", "no/folder/c.npy"}, {"no/folder/c.npy", "does not exist"});
  expect_refused({"einsum", "ij->ji", a, "-o", "c.csv"}, {"c.csv", ".npy"});
  std::filesystem::create_directory(path("taken.npy"));
  expect_refused({"einsum", "ij->ji", a, "-o", "taken.npy"}, {"taken.npy", "folder"});
  EXPECT_FALSE(std::filesystem::exists(path("c.csv")));
}

TEST_F(Einsum, MistakesInOptionsNameThem) {
  const std::string a = save("a", first_matrix);
  expect_refused({"einsum", "ij->ji", a, "--dtype", "f65"}, {"f65", "float64"});
  expect_refused({"einsum", "ij->ji", a, "--precision", "high"}, {"high", "kahan"});
  expect_refused({"einsum", "ij->ji", a, "--seed", "1"}, {"--seed", "fast", "--precision sr"});
  expect_refused({"einsum", "ij->ji", a, "--precision", "sr", "--seed", "-1"}, {"--seed"});
  expect_refused({"einsum", "ij->ji", a, "--target-error", "small"}, {"--target-error", "small"});
  expect_refused({"einsum", "ij->ji", a, "--target-error", "0"}, {"--target-error"});
  expect_refused({"einsum", "ij->ji", a, "--target-error", "1e-3", "--precision", "fast"},
                 {"--target-error", "--precision", "leave one"});
  expect_refused({"einsum", "ij,jk->ik", a, a, "--target-error", "1e-30"}, {"1e-30", "least bound"});
  expect_refused({"einsum", "ij->ji", a, "--optimize", "best"}, {"best", "greedy"});
  expect_refused({"einsum", "ij->ji", a, "--alpha", "two"}, {"--alpha", "\"two\""});
  expect_refused({"einsum", "ij->ji", a, "--alpha", "1+j2"}, {"--alpha", "\"1+j2\""});
  expect_refused({"einsum", "ij->ji", a, "--alpha", "1j"}, {"alpha", "real"});
  expect_refused({"einsum", "ij->ji", a, "--beta", "2"}, {"--beta", "--accumulate-into"});
  expect_refused({"einsum", "ij->ji", a, "--threads", "0"}, {"--threads"});
  expect_refused({"einsum", "ij->ji", a, "--memory", "lots"}, {"--memory", "lots"});
  const std::string wide = save("wide", Tensor::zeros({2, 3}, DType::kFloat64));
  expect_refused({"einsum", "ij->ji", a, "--accumulate-into", wide}, {"out", "(2, 3)", "(2, 2)"});
  save_npz(path("one.npz"), std::vector<NamedTensor>{{"x", first_matrix}});
  expect_refused({"einsum", "ij->ji", a, "--accumulate-into", "one.npz:x"}, {"one.npz", "-o"});
}

// As a shell leaves them for a variable that is not set.
TEST_F(Einsum, OptionsWithoutTextAreRefused) {
  const std::string a = save("a", first_matrix);
  for (const char* option : {"-o", "--accumulate-into", "--dtype", "--raw-as", "--precision", "--optimize", "--alpha",
                             "--beta", "--memory", "--threads"}) {
    SCOPED_TRACE(option);
    expect_refused({"einsum", "ij->ji", a, option, ""}, {});
  }
}

TEST_F(Einsum, TensorsBesideAResultAreNotLost) {
  const std::string a = save("a", first_matrix);
  const std::vector<NamedTensor> both{{"p", first_matrix}, {"q", second_matrix}};
  save_npz(path("both.npz"), both);
  save_hdf5(path("both.h5"), both);
  for (const std::string file : {"both.npz", "both.h5"}) {
    expect_refused({"einsum", "ij->ji", file + ":p", "-o", file}, {file, "2 members", "p, q", "file of its own"});
    EXPECT_EQ(list_tensors(path(file)), (std::vector<std::string>{"p", "q"}));
  }
  {
    io::AtomicFile notes(path("notes.npz"));
    io::ZipWriter writer(notes);
    for (const char* name : {"data.npy", "notes.txt"}) {
      writer.add(name, io::ZipMethod::kStored, 1,
                 [](const io::ZipWriter::Sink& sink) { sink(std::vector(1, std::byte{65})); });
    }
    writer.finish();
    notes.commit();
  }
  expect_refused({"einsum", "ij->ji", a, "-o", "notes.npz"}, {"notes.npz", "2 members", "file of its own"});
  for (const std::string file : {"result.npz", "result.h5"}) {
    std::ofstream(path(file)).flush();  // empty, as mktemp makes it
    EXPECT_EQ(run({"einsum", "ij->ji", a, "-o", file}).exit_code, 0);
    EXPECT_EQ(run({"einsum", "ij->ij", a, "-o", file}).exit_code, 0) << "a result may be replaced by another";
    EXPECT_EQ(load_tensor(path(file)).to_vector<double>(), first_matrix.to_vector<double>());
  }
}

TEST_F(Einsum, AFailureLeavesTheTargetAsItWas) {
  const std::string sum = save("sum", second_matrix);
  const std::string bad = save("bad", Tensor::zeros({3, 3}, DType::kFloat64));
  EXPECT_EQ(run({"einsum", "ij->ij", bad, "--accumulate-into", sum}).exit_code, 2);
  EXPECT_EQ(load_tensor(path("sum.npy")).to_vector<double>(), second_matrix.to_vector<double>());
}

}  // namespace
}  // namespace trntensor::testing
