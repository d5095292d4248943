/* SPDX-License-Identifier: Apache-2.0 */
/* Live chips, through a transport of the program: the program emulated-chip emulates the chip. */
#include <signal.h>
#include <sys/wait.h>

#include "test.h"

/* ---- A chip in another process ---- */

typedef struct {
  pid_t process;
  int input, output;
  size_t commands, progress_calls;
  int is_part_wrong, has_seen_portrait;
} chip_process;

/* Each message is preceded by its size in two bytes. */
static chip_process start_chip(const char *kind, const char *option, const char *value) {
  chip_process chip = {0, 0, 0, 0, 0, 0, 0};
  int in[2], out[2];
  if (pipe(in) != 0 || pipe(out) != 0) abort();
  chip.process = fork();
  if (chip.process == 0) {
    const char *program = getenv("FACEVERIFY_EMULATED_CHIP");
    dup2(in[0], 0);
    dup2(out[1], 1);
    close(in[1]);
    close(out[0]);
    execl(program, program, kind, option, value, (char *)NULL);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  chip.input = in[1];
  chip.output = out[0];
  return chip;
}

static void end_chip(chip_process *chip) {
  close(chip->input);
  close(chip->output);
  waitpid(chip->process, NULL, 0);
}

static int read_all(int file, unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t got = read(file, bytes, count);
    if (got <= 0) return 0;
    bytes += got;
    count -= (size_t)got;
  }
  return 1;
}

static fv_status transmit(const void *command, size_t command_bytes, void *response, size_t capacity_bytes,
                          size_t *response_bytes, void *user) {
  chip_process *chip = (chip_process *)user;
  unsigned char size[2];
  size[0] = (unsigned char)(command_bytes >> 8);
  size[1] = (unsigned char)command_bytes;
  chip->commands++;
  if (write(chip->input, size, 2) != 2 || write(chip->input, command, command_bytes) != (ssize_t)command_bytes ||
      !read_all(chip->output, size, 2))
    return FV_E_UNREADABLE;
  *response_bytes = (size_t)size[0] << 8 | size[1];
  if (*response_bytes > capacity_bytes) return FV_E_TOO_LARGE;
  return read_all(chip->output, (unsigned char *)response, *response_bytes) ? FV_OK : FV_E_UNREADABLE;
}

static void show_progress(const char *file, double part, void *user) {
  chip_process *chip = (chip_process *)user;
  chip->progress_calls++;
  if (!(part >= 0 && part <= 1)) chip->is_part_wrong = 1;
  if (strcmp(file, "EF.DG2") == 0 && part == 1) chip->has_seen_portrait = 1;
}

static int has_program(void) {
  const char *program = getenv("FACEVERIFY_EMULATED_CHIP");
  if (program != NULL && access(program, X_OK) == 0) return 1;
  skip("FACEVERIFY_EMULATED_CHIP names no program; scripts/test builds it");
  return 0;
}

static fv_status read_live(fv_live_chip **out, chip_process *process, const char *mrz, const char *number,
                           fv_bool is_confirmed, const fv_budget *budget) {
  fv_chip_transport transport = FV_CHIP_TRANSPORT_INIT;
  fv_live_chip_options options = FV_LIVE_CHIP_OPTIONS_INIT;
  transport.transmit = transmit;
  transport.user = process;
  options.transport = &transport;
  options.mrz = mrz;
  options.card_access_number = number;
  options.is_confirmed = is_confirmed;
  options.progress = show_progress;
  options.progress_user = process;
  return fv_live_chip_read(out, &options, budget, said, sizeof said);
}

static const char password[] = "L898902C3,740812,120415";

static fv_live_chip_info info_of(const fv_live_chip *chip) {
  fv_live_chip_info info = FV_LIVE_CHIP_INFO_INIT;
  CHECK_STATUS(FV_OK, fv_live_chip_describe(&info, chip));
  return info;
}

static fv_chip_report_info judged(const fv_chip_report *report) {
  fv_chip_report_info info = FV_CHIP_REPORT_INFO_INIT;
  CHECK_STATUS(FV_OK, fv_chip_report_describe(&info, report));
  return info;
}

/* A store with the certificate of the emulated chip's CSCA. */
static fv_trust_store *make_trust(void) {
  char folder[] = "/tmp/live-chip.XXXXXX", path[64], command[4200];
  fv_trust_store *trust = NULL;
  if (mkdtemp(folder) == NULL) abort();
  snprintf(path, sizeof path, "%s/csca.cer", folder);
  snprintf(command, sizeof command, "'%s' --authority %s", getenv("FACEVERIFY_EMULATED_CHIP"), path);
  CHECK(system(command) == 0);
  CHECK_STATUS(FV_OK, fv_trust_store_create(&trust, folder, NULL, 0));
  CHECK(fv_trust_store_anchor_count(trust) == 1);
  unlink(path);
  rmdir(folder);
  return trust;
}

/* ---- Tests ---- */

static void a_chip_is_read_and_judged(void) {
  chip_process process;
  fv_live_chip *chip = NULL;
  fv_chip_report *report = NULL;
  fv_trust_store *trust;
  fv_document_check step = FV_DOCUMENT_CHECK_INIT;
  fv_live_chip_info info;
  size_t i;
  if (!has_program()) return;
  process = start_chip("cam", NULL, NULL);
  CHECK_STATUS(FV_OK, read_live(&chip, &process, password, NULL, 0, NULL));
  CHECK_TEXT("", said);
  info = info_of(chip);
  CHECK(info.access == FV_CHIP_ACCESS_OPENED && isnan(info.attempts_left) && info.interruption == NULL);
  CHECK_TEXT("id-PACE-ECDH-CAM-AES-CBC-CMAC-128", info.protocol);
  CHECK(strlen(info.transcript_sha256) == 64 && (size_t)info.command_count == process.commands);
  CHECK(process.progress_calls > 6 && process.has_seen_portrait && !process.is_part_wrong);
  CHECK(fv_live_chip_files(chip) != NULL && fv_live_chip_files(chip) == fv_live_chip_files(chip));
  trust = make_trust();
  CHECK_STATUS(FV_OK, fv_live_chip_report(&report, chip, trust, "2026-06-01", 0, said, sizeof said));
  fv_live_chip_free(chip);
  CHECK(judged(report).verdict == FV_VERDICT_AUTHENTIC && judged(report).proof == FV_CHIP_PROOF_NOT_CLONED);
  CHECK(judged(report).validity == FV_CHECK_STATUS_PASSED);
  /* EF.DG2 has no portrait. */
  CHECK(judged(report).result == FV_CHECK_STATUS_NOT_CHECKED);
  CHECK(fv_chip_report_proof_step_count(report) == 4 && fv_chip_report_step_count(report) > 10);
  for (i = 0; i < 4; i++) {
    CHECK_STATUS(FV_OK, fv_chip_report_proof_step_at(&step, report, i));
    CHECK(step.status == FV_CHECK_STATUS_PASSED && step.reason == NULL && *step.text != '\0');
  }
  CHECK_STATUS(FV_E_ABSENT, fv_chip_report_proof_step_at(&step, report, 4));
  CHECK_STATUS(FV_OK, fv_chip_report_step_at(&step, report, 0));
  CHECK_TEXT("signature", step.name);
  CHECK_STATUS(FV_E_ABSENT, fv_chip_report_step_at(&step, report, SIZE_MAX));
  CHECK(strstr(fv_chip_report_json(report), "\"not-cloned\"") != NULL);
  fv_chip_report_free(report);
  fv_trust_store_free(trust);
  end_chip(&process);
}

static void a_clone_is_suspected(void) {
  chip_process process;
  fv_live_chip *chip = NULL;
  fv_chip_report *report = NULL;
  fv_trust_store *trust;
  if (!has_program()) return;
  process = start_chip("pace", "--fault", "wrongSignature");
  trust = make_trust();
  CHECK_STATUS(FV_OK, read_live(&chip, &process, password, NULL, 0, NULL));
  CHECK_STATUS(FV_OK, fv_live_chip_report(&report, chip, trust, "2026-06-01", 1, said, sizeof said));
  CHECK(judged(report).proof == FV_CHIP_PROOF_CLONE_SUSPECTED && judged(report).result == FV_CHECK_STATUS_FAILED);
  fv_chip_report_free(report);
  fv_live_chip_free(chip);
  fv_trust_store_free(trust);
  end_chip(&process);
}

static void a_refused_password_is_a_result(void) {
  static const struct {
    fv_chip_access access;
    double left;
  } tries[] = {{FV_CHIP_ACCESS_PASSWORD_REFUSED, 2}, {FV_CHIP_ACCESS_PASSWORD_REFUSED, 1},
               {FV_CHIP_ACCESS_CONFIRMATION_NEEDED, 1}};
  chip_process process;
  fv_live_chip *chip = NULL;
  fv_chip_report *report = NULL;
  size_t i;
  if (!has_program()) return;
  process = start_chip("pace", NULL, NULL);
  for (i = 0; i < COUNT(tries); i++) {
    CHECK_STATUS(FV_OK, read_live(&chip, &process, NULL, "654321", 0, NULL));
    CHECK(info_of(chip).access == tries[i].access && info_of(chip).attempts_left == tries[i].left);
    CHECK(info_of(chip).protocol == NULL && info_of(chip).command_count == 0 && fv_live_chip_files(chip) == NULL);
    CHECK_STATUS(FV_E_WRONG_STATE, fv_live_chip_report(&report, chip, NULL, "2026-06-01", 0, NULL, 0));
    fv_live_chip_free(chip);
  }
  CHECK_STATUS(FV_OK, read_live(&chip, &process, NULL, "123456", 1, NULL));
  CHECK(info_of(chip).access == FV_CHIP_ACCESS_OPENED);
  fv_live_chip_free(chip);
  end_chip(&process);
}

static void a_removed_chip_keeps_what_was_read(void) {
  chip_process process;
  fv_live_chip *chip = NULL;
  if (!has_program()) return;
  process = start_chip("bac", "--remove-after", "14");
  CHECK_STATUS(FV_OK, read_live(&chip, &process, password, NULL, 0, NULL));
  CHECK(info_of(chip).interruption != NULL && fv_live_chip_files(chip) != NULL);
  fv_live_chip_free(chip);
  /* And is an error if it was not opened yet. */
  CHECK_STATUS(FV_E_UNREADABLE, read_live(&chip, &process, password, NULL, 0, NULL));
  CHECK(chip == NULL && strstr(said, "transport") != NULL);
  end_chip(&process);
}

static void a_budget_ends_the_reading(void) {
  chip_process process;
  fv_live_chip *chip = NULL;
  fv_budget budget = FV_BUDGET_INIT;
  if (!has_program()) return;
  process = start_chip("bac", NULL, NULL);
  budget.seconds = 1e-9;
  CHECK_STATUS(FV_E_TIMEOUT, read_live(&chip, &process, password, NULL, 0, &budget));
  CHECK(chip == NULL && process.commands == 0);
  end_chip(&process);
}

static void options_are_checked(void) {
  static const char *const wrong[][2] = {
      {"L898902C3,740812", NULL}, {NULL, "12"}, {NULL, "12345x"}, {password, "123456"}, {"\xFF", NULL}};
  chip_process none = {0, -1, -1, 0, 0, 0, 0};
  fv_live_chip *chip = NULL;
  fv_live_chip_options options = FV_LIVE_CHIP_OPTIONS_INIT;
  fv_chip_transport transport = FV_CHIP_TRANSPORT_INIT;
  size_t i;
  for (i = 0; i < COUNT(wrong); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT, read_live(&chip, &none, wrong[i][0], wrong[i][1], 0, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, read_live(&chip, &none, password, NULL, 2, NULL));
  CHECK(none.commands == 0);
  options.mrz = password;
  options.transport = &transport;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_live_chip_read(&chip, &options, NULL, said, sizeof said));
  transport.transmit = transmit;
  options.reader = "name";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_live_chip_read(&chip, &options, NULL, said, sizeof said));
  options.transport = NULL;
  for (i = 0; i < 3; i++) {
    static const double times[] = {-1, 9.99, 60.01};
    options.card_timeout = times[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_live_chip_read(&chip, &options, NULL, said, sizeof said));
  }
}

/* With readers or without: this machine may have the service. */
static void readers_are_listed_or_the_service_is_named(void) {
  fv_card_readers *readers = NULL;
  fv_card_reader reader = FV_CARD_READER_INIT;
  fv_status status = fv_card_readers_list(&readers, said, sizeof said);
  if (status == FV_OK) {
    CHECK(fv_card_readers_json(readers)[0] == '[');
    CHECK_STATUS(FV_E_ABSENT, fv_card_readers_at(&reader, readers, fv_card_readers_count(readers)));
    if (fv_card_readers_count(readers) > 0) {
      CHECK_STATUS(FV_OK, fv_card_readers_at(&reader, readers, 0));
      CHECK(*reader.name != '\0' && reader.answer_to_reset != NULL);
    }
  } else {
    CHECK(readers == NULL && (strstr(said, "pcscd") != NULL || strstr(said, "libpcsclite1") != NULL));
    CHECK(status == FV_E_ABSENT || status == FV_E_UNREADABLE);
  }
  fv_card_readers_free(readers);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  RUN(a_chip_is_read_and_judged);
  RUN(a_clone_is_suspected);
  RUN(a_refused_password_is_a_result);
  RUN(a_removed_chip_keeps_what_was_read);
  RUN(a_budget_ends_the_reading);
  RUN(options_are_checked);
  RUN(readers_are_listed_or_the_service_is_named);
  CHECK(fv_live_objects() == 0);
  return finish();
}
