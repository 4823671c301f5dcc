// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cache.h"
#include "runtime/sha256.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

using namespace ferry::runtime;
namespace fs = std::filesystem;

namespace {

TEST(Sha256, ExamplesOfItsStandard) {
  EXPECT_EQ(Sha256().text(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256().add("abc").text(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256().add("abcdbcdecdefdefgefghfghighijhijk").add("ijkljklmklmnlmnomnopnopq").text(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256().add(std::string(1'000'000, 'a')).text(),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, FieldsDoNotRunTogether) {
  EXPECT_NE(Sha256().field("ab").field("c").text(), Sha256().field("a").field("bc").text());
  EXPECT_NE(Sha256().field("").text(), Sha256().text());
}

TEST(Cache, Bytes) {
  EXPECT_EQ(parseBytes("7"), 7);
  EXPECT_EQ(parseBytes("3K"), 3072);
  EXPECT_EQ(parseBytes("512M"), int64_t{512} << 20);
  EXPECT_EQ(parseBytes("2G"), int64_t{2} << 30);
  for (const char *wrong : {"", "M", "0", "-1", "1T", "1 M", "9999999999G", "99999999999999999999"})
    EXPECT_EQ(parseBytes(wrong), std::nullopt) << wrong;
}

class InFolder : public ::testing::Test {
protected:
  InFolder() : folder(fs::temp_directory_path() / ("ferry-cache-" + std::to_string(getpid()))) {
    fs::remove_all(folder);
  }
  ~InFolder() override { fs::remove_all(folder); }

  static std::string key(char digit) { return std::string(64, digit); }
  // The file was used so many hours ago.
  void age(char digit, int hours) {
    fs::last_write_time(folder / key(digit), fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }

  fs::path folder;
};

TEST_F(InFolder, KeepsWhatItIsGiven) {
  Cache cache(folder / "a" / "b", 1 << 20);
  EXPECT_EQ(cache.load(key('1')), std::nullopt);
  std::string content("\0binary\n", 8);
  cache.store(key('1'), content);
  EXPECT_EQ(cache.load(key('1')), content);
  cache.store(key('1'), "");
  EXPECT_EQ(cache.load(key('1')), "");
  EXPECT_EQ(fs::status(folder / "a" / "b").permissions(), fs::perms::owner_all);
}

TEST_F(InFolder, RemovesWhatIsDamaged) {
  Cache cache(folder, 1 << 20);
  cache.store(key('1'), "content");
  auto size = fs::file_size(folder / key('1'));
  for (uintmax_t left = 0; left < size; ++left) {
    cache.store(key('1'), "content");
    fs::resize_file(folder / key('1'), left);
    EXPECT_EQ(cache.load(key('1')), std::nullopt) << left;
    EXPECT_FALSE(fs::exists(folder / key('1')));
  }
  for (uintmax_t place = 0; place < size; ++place) {
    cache.store(key('1'), "content");
    std::fstream file(folder / key('1'), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(place));
    char flipped = static_cast<char>(file.get() ^ 4);
    file.seekp(static_cast<std::streamoff>(place));
    file.put(flipped);
    file.close();
    EXPECT_EQ(cache.load(key('1')), std::nullopt) << place;
  }
}

TEST_F(InFolder, RemovesWhatWasNotUsedForLongest) {
  const std::string content(1000, 'x');
  Cache cache(folder, 3500); // three of them
  for (char digit : {'1', '2', '3'}) {
    cache.store(key(digit), content);
    age(digit, '9' - digit);
  }
  EXPECT_TRUE(cache.load(key('1'))); // used now
  cache.store(key('4'), content);
  EXPECT_TRUE(cache.load(key('1')));
  EXPECT_FALSE(cache.load(key('2')));
  EXPECT_TRUE(cache.load(key('3')));
  EXPECT_TRUE(cache.load(key('4')));
  cache.store(key('5'), std::string(4000, 'x')); // more than all may take
  EXPECT_FALSE(cache.load(key('5')));
  EXPECT_TRUE(cache.load(key('4')));
}

TEST_F(InFolder, LeavesOtherFilesAlone) {
  fs::create_directories(folder);
  std::ofstream(folder / "somebody's") << std::string(5000, 'x');
  Cache(folder, 1000).store(key('1'), "content");
  EXPECT_EQ(fs::file_size(folder / "somebody's"), 5000U);
}

TEST_F(InFolder, ManyAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this, i] {
      Cache cache(folder, 20'000);
      for (int k = 0; k < 50; ++k) {
        char digit = static_cast<char>('0' + (i + k) % 8);
        cache.store(key(digit), std::string(1000, digit));
        if (auto found = cache.load(key(digit)))
          EXPECT_EQ(*found, std::string(1000, digit));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const auto &file : fs::directory_iterator(folder))
    EXPECT_EQ(file.path().filename().string().size(), 64U) << "a file that was being written is left";
}

TEST_F(InFolder, WithoutAFolder) {
  Cache none("", 1000);
  EXPECT_FALSE(none.isOn());
  none.store(key('1'), "content");
  EXPECT_EQ(none.load(key('1')), std::nullopt);
  Cache impossible("/proc/none/ferry", 1000);
  impossible.store(key('1'), "content");
  EXPECT_EQ(impossible.load(key('1')), std::nullopt);
}

} // namespace
