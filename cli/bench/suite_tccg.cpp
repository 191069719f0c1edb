// The TCCG benchmark: Springer, Bientinesi, "Design of a High-Performance GEMM-like Tensor-Tensor Multiplication", ACM
// Trans. Math. Softw. 44 (2018) 28, doi:10.1145/3157733; version 0.1 of the collection with its sizes for double
// precision. Subscripts are row-major: the originals, column-major, read backwards.
#include <charconv>
#include <string_view>

#include "cli/bench/contraction_case.hpp"
#include "cli/bench/suites.hpp"

namespace trntensor::cli::bench {
namespace {

struct Row {
  const char* name;
  const char* subscripts;
  const char* extents;
};

constexpr Row kRows[] = {
    {"intensli0", "adb,cd->cba", "a=312,b=312,c=24,d=312"},
    {"intensli1", "acd,db->cba", "a=312,b=24,c=296,d=312"},
    {"intensli2", "aebd,ce->dcba", "a=72,b=72,c=24,d=72,e=72"},
    {"intensli3", "aced,eb->dcba", "a=72,b=24,c=72,d=72,e=72"},
    {"intensli4", "dabe,ec->dcba", "a=72,b=72,c=24,d=72,e=72"},
    {"intensli5", "dabfe,fc->edcba", "a=48,b=32,c=24,d=32,e=48,f=32"},
    {"intensli6", "afbce,df->edcba", "a=48,b=32,c=32,d=24,e=48,f=48"},
    {"intensli7", "dacfe,fb->edcba", "a=48,b=24,c=32,d=32,e=48,f=32"},
    {"ao2mo0", "ae,dcbe->dcba", "a=72,b=72,c=72,d=72,e=72"},
    {"ao2mo1", "be,dcea->dcba", "a=72,b=72,c=72,d=72,e=72"},
    {"ao2mo2", "ce,deba->dcba", "a=72,b=72,c=72,d=72,e=72"},
    {"ccsd0", "ca,bc->ba", "a=5136,b=5120,c=5136"},
    {"ccsd1", "dca,cbd->ba", "a=312,b=296,c=296,d=312"},
    {"ccsd2", "dac,bcd->ba", "a=312,b=296,c=312,d=312"},
    {"ccsd3", "dca,bd->cba", "a=312,b=296,c=296,d=312"},
    {"ccsd4", "da,cdb->cba", "a=312,b=312,c=296,d=296"},
    {"ccsd5", "cda,db->cba", "a=312,b=312,c=296,d=296"},
    {"ccsd6", "cda,bd->cba", "a=312,b=296,c=296,d=312"},
    {"ccsd7", "ceda,dbe->cba", "a=72,b=72,c=72,d=72,e=72"},
    {"ccsd8", "fbea,ecfd->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd9", "fbea,cedf->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd10", "fcea,edfb->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd11", "fcea,debf->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd12", "fdea,ecfb->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd13", "fdea,cebf->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd14", "bfea,ecdf->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd15", "cfea,debf->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd16", "bfae,cedf->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd17", "cfae,edfb->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd18", "dfae,cebf->dcba", "a=72,b=72,c=72,d=72,e=72,f=72"},
    {"ccsd_t0", "aged,cbfg->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t1", "bged,cafg->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t2", "cged,bafg->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t3", "agfd,cbeg->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t4", "bgfd,caeg->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t5", "cgfd,baeg->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t6", "agfe,cbdg->fedcba", "a=24,b=16,c=16,d=16,e=24,f=16,g=24"},
    {"ccsd_t7", "bgfe,cadg->fedcba", "a=24,b=16,c=16,d=16,e=24,f=16,g=24"},
    {"ccsd_t8", "cgfe,badg->fedcba", "a=24,b=16,c=16,d=16,e=24,f=16,g=24"},
    {"ccsd_t9", "badg,cgfe->fedcba", "a=24,b=16,c=16,d=16,e=24,f=16,g=24"},
    {"ccsd_t10", "cadg,bgfe->fedcba", "a=24,b=16,c=16,d=16,e=24,f=16,g=24"},
    {"ccsd_t11", "cbdg,agfe->fedcba", "a=24,b=16,c=16,d=16,e=24,f=16,g=24"},
    {"ccsd_t12", "baeg,cgfd->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t13", "caeg,bgfd->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t14", "cbeg,agfd->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t15", "bafg,cged->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t16", "cafg,bged->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
    {"ccsd_t17", "cbfg,aged->fedcba", "a=24,b=16,c=16,d=24,e=16,f=16,g=24"},
};

/// "a=312,b=24".
std::map<char, std::int64_t> extents_of(std::string_view text) {
  std::map<char, std::int64_t> extents;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    std::from_chars(item.data() + 2, item.data() + item.size(), extents[item[0]]);
    text.remove_prefix(std::min(item.size() + 1, text.size()));
  }
  return extents;
}

}  // namespace

std::vector<Case> tccg_cases(const SuiteOptions& options) {
  std::vector<Case> cases;
  for (const int threads : options.threads) {
    for (const DType dtype : options.dtypes) {
      for (const Row& row : kRows) {
        const Contracted contracted = parse_contracted(row.subscripts, extents_of(row.extents), dtype);
        cases.push_back(contraction_case("tccg", row.name, contracted, threads));
      }
    }
  }
  return cases;
}

}  // namespace trntensor::cli::bench
