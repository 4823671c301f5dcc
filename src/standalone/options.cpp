// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "standalone/options.h"

#include "runtime/cache.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <limits>

namespace ferry::standalone {

using runtime::DeviceKind;

static const char *calledAs = "program";

void setName(const char *name) { calledAs = name; }

void fail(const std::string &message) {
  std::fprintf(stderr, "%s: %s\n", calledAs, message.c_str());
  std::exit(1);
}

namespace {

// Options without a letter.
enum : int { deviceMemoryOption = 256, threadsOption, printParametersOption, parameterOption, tuningOption };

constexpr option longOptions[] = {{"entry-point", required_argument, nullptr, 'e'},
                                  {"binary-output", no_argument, nullptr, 'b'},
                                  {"no-print-result", no_argument, nullptr, 'n'},
                                  {"runs", required_argument, nullptr, 'r'},
                                  {"write-runtime-to", required_argument, nullptr, 't'},
                                  {"debugging", no_argument, nullptr, 'D'},
                                  {"log", no_argument, nullptr, 'L'},
                                  {"profile", no_argument, nullptr, 'P'},
                                  {"device", required_argument, nullptr, 'd'},
                                  {"device-memory", required_argument, nullptr, deviceMemoryOption},
                                  {"threads", required_argument, nullptr, threadsOption},
                                  {"num-threads", required_argument, nullptr, threadsOption},
                                  {"print-params", no_argument, nullptr, printParametersOption},
                                  {"param", required_argument, nullptr, parameterOption},
                                  {"tuning", required_argument, nullptr, tuningOption},
                                  {"help", no_argument, nullptr, 'h'},
                                  {nullptr, 0, nullptr, 0}};
constexpr const char *letters = ":e:bnr:t:DLPd:h";

constexpr const char *help =
    "Reads the arguments of an entry point from standard input, in Futhark's text or binary form, and writes its\n"
    "results to standard output.\n"
    "\n"
    "  -e, --entry-point=NAME       The entry point to run. Default: main\n"
    "  -b, --binary-output          Write the results in binary form\n"
    "  -n, --no-print-result        Do not write the results\n"
    "  -r, --runs=NUMBER            Run once to warm up, and then so many times; the results are the last run's\n"
    "  -t, --write-runtime-to=FILE  Write the time of each run to the file, in microseconds, a line each\n"
    "  -d, --device=DEVICE          Where to run: host, or the device that the program was built for, as sim,\n"
    "                               opencl, opencl:NUMBER or cuda:NAME. Default: that device\n"
    "      --device-memory=LIMIT    A limit on the device's memory in bytes (K, M, G)\n"
    "      --threads=NUMBER         Threads of parallel loops. Default: the processors there are\n"
    "  -L, --log                    Say on standard error what happens and what was copied\n"
    "  -P, --profile                Say at the end what was copied\n"
    "  -D, --debugging              The same as -L, with accesses outside of arrays found; slow\n"
    "      --print-params           Print the tuning parameters, of which there are none\n"
    "      --param=NAME=NUMBER, --tuning=FILE\n"
    "                               Set tuning parameters: an error for each\n"
    "  -h, --help                   Print this\n"
    "\n"
    "Exit status: 0 success; 1 an error in the command line, the arguments or the run; 70 a defect of Ferry.\n";

const char *nameOf(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::none:
    return "host";
  case DeviceKind::sim:
    return "sim";
  case DeviceKind::opencl:
    return "opencl";
  case DeviceKind::cuda:
    return "cuda";
  }
  return "";
}

int positive(const char *text, const char *what) {
  int number = 0;
  auto [end, code] = std::from_chars(text, text + std::strlen(text), number);
  if (code != std::errc() || *end || number <= 0)
    fail(std::string("need a positive number of ") + what + ", not " + text);
  return number;
}

// The kind of device that the program was built for, beside the host.
DeviceKind builtFor(const Program &program) {
  auto found = std::ranges::find_if(program.variants, [](const Variant &v) { return v.device != DeviceKind::none; });
  return found == program.variants.end() ? DeviceKind::none : found->device;
}

void chooseDevice(const std::string &name, DeviceKind built, Options &options) {
  std::string own = nameOf(built);
  bool isKind = name == "host" || name == "sim" || name == "opencl" || name == "cuda";
  bool isOneOfSeveral = built == DeviceKind::opencl || built == DeviceKind::cuda;
  options.device = built;
  if (name == "host")
    options.device = DeviceKind::none;
  else if (name == own)
    options.whichDevice.clear();
  else if (isOneOfSeveral && name.starts_with(own + ":"))
    options.whichDevice = name.substr(own.size() + 1);
  else if (isOneOfSeveral && !isKind) // as Futhark's programs have it
    options.whichDevice = name.starts_with('#') ? name.substr(1) : name;
  else
    fail("--device: this program runs on the host" + (built == DeviceKind::none ? "" : " and on " + own) +
         ", not on '" + name + "'; `ferry build --device` chooses");
}

// Nothing can be tuned, so a file may have no more than empty lines.
void readTuning(const char *name) {
  std::FILE *file = std::fopen(name, "r");
  if (!file)
    fail(std::string("cannot open ") + name + ": " + std::strerror(errno));
  char line[256];
  while (std::fgets(line, sizeof line, file))
    if (std::strspn(line, " \t\r\n") != std::strlen(line))
      fail(std::string("when loading tuning from '") + name +
           "': unknown parameter: " + std::string(line, std::strcspn(line, "=\r\n")));
  std::fclose(file);
}

} // namespace

Options readOptions(int argc, char **argv, const Program &program) {
  Options options;
  DeviceKind built = options.device = builtFor(program);
  for (int letter; (letter = getopt_long(argc, argv, letters, longOptions, nullptr)) != -1;) {
    switch (letter) {
    case 'e':
      options.entry = optarg;
      break;
    case 'b':
      options.binary = true;
      break;
    case 'n':
      options.prints = false;
      break;
    case 'r':
      options.runs = positive(optarg, "runs");
      options.warmsUp = true;
      break;
    case 't':
      options.runtimes = std::fopen(optarg, "w");
      if (!options.runtimes)
        fail(std::string("cannot open ") + optarg + ": " + std::strerror(errno));
      break;
    case 'D':
      options.debugging = options.logs = true;
      break;
    case 'L':
      options.logs = true;
      break;
    case 'P':
      options.profiles = true;
      break;
    case 'd':
      chooseDevice(optarg, built, options);
      break;
    case deviceMemoryOption:
      if (auto bytes = runtime::parseBytes(optarg))
        options.deviceMemory = *bytes;
      else
        fail(std::string("--device-memory: '") + optarg + "' is no number of bytes, such as 512M");
      break;
    case threadsOption:
      options.threads = positive(optarg, "threads");
      break;
    case printParametersOption:
      std::exit(0);
    case parameterOption:
      fail("unknown parameter: " + std::string(optarg, std::strcspn(optarg, "=")));
    case tuningOption:
      readTuning(optarg);
      break;
    case 'h':
      std::printf("Usage: %s [OPTION]...\n%s", calledAs, help);
      std::exit(0);
    case ':':
      fail(std::string("missing argument for option ") + argv[optind - 1]);
    default:
      fail("unknown option: " +
           (optopt && optopt < deviceMemoryOption ? std::string("-") + static_cast<char>(optopt) : argv[optind - 1]));
    }
  }
  if (optind < argc)
    fail(std::string("excess non-option: ") + argv[optind]);
  return options;
}

} // namespace ferry::standalone
