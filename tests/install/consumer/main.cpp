// A user's program, built outside the source tree against the installed package.
#include <cstdio>
#include <cstring>
#include <string_view>
#include <trntensor/trntensor.hpp>

namespace {

bool contracts() {
  const trntensor::Tensor a = trntensor::Tensor::from_values<double>({2, 2}, {1, 2, 3, 4});
  const trntensor::Tensor b = trntensor::Tensor::from_values<double>({2, 2}, {5, 6, 7, 8});
  const trntensor::Tensor c = trntensor::einsum("ij,jk->ik", {a, b});
  const double* values = c.data_as<double>();
  return c.shape() == trntensor::Shape{2, 2} && values[0] == 19 && values[1] == 22 && values[2] == 43 &&
         values[3] == 50;
}

bool refuses() {
  const trntensor::Tensor a = trntensor::Tensor::from_values<double>({2}, {1, 2});
  try {
    (void)trntensor::einsum("ij->i", {a});
  } catch (const trntensor::Error& error) {
    return error.kind() == trntensor::ErrorKind::kInvalidArgument &&
           std::string_view(error.what()).find("fix: ") != std::string_view::npos;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], TRNTENSOR_VERSION) != 0) {
    std::fprintf(stderr, "the headers are of version %s\n", TRNTENSOR_VERSION);
    return 1;
  }
  if (!contracts()) std::fprintf(stderr, "a product of two matrices is wrong\n");
  if (!refuses()) std::fprintf(stderr, "an operand of the wrong rank was not refused\n");
  return contracts() && refuses() ? 0 : 1;
}
