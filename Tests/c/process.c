/* SPDX-License-Identifier: Apache-2.0 */
/* The library's environment: several engines, a process that forks, models elsewhere or out of reach. */
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "test.h"

static fv_engine *engine;

/* The result of `body` in a child process; 128 plus the signal's number if killed, as by SIGALRM after 30 s. */
static int in_child(int (*body)(void)) {
  int status;
  pid_t child;
  fflush(stdout);
  child = fork();
  if (child == 0) {
    alarm(30);
    _exit(body());
  }
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- Several engines ---- */

static void two_engines_work(void) {
  fv_engine *engines[3];
  size_t i;
  double scores[3];
  engines[0] = make_engine("default", 1);
  engines[1] = make_engine("default", 2);
  engines[2] = make_engine("dlib", 1);
  for (i = 0; i < 3; i++) {
    fv_decision *same = compare_samples(engines[i], "obama.jpg", "obama2.jpg");
    fv_decision *other = compare_samples(engines[i], "obama.jpg", "biden.jpg");
    fv_comparison comparison = FV_COMPARISON_INIT;
    CHECK(fv_decision_result(same) == FV_RESULT_MATCH && fv_decision_result(other) == FV_RESULT_NO_MATCH);
    CHECK_STATUS(FV_OK, fv_decision_comparison(&comparison, same));
    scores[i] = comparison.score;
    fv_decision_free(other);
    fv_decision_free(same);
  }
  CHECK(scores[0] == scores[1] && scores[0] != scores[2]);
  CHECK(strcmp(fv_engine_json(engines[0]), fv_engine_json(engines[2])) != 0);
  for (i = 0; i < 3; i++) fv_engine_free(engines[i]);
}

/* Sanitizers, Go and Rust give each thread an alternate signal stack, which must survive engines. */
static void signal_stacks_are_unchanged(void) {
  char memory[65536];
  stack_t own = {0}, before, after;
  size_t i;
  own.ss_sp = memory;
  own.ss_size = sizeof memory;
  CHECK(sigaltstack(&own, &before) == 0);
  /* Which thread loads OpenVINO is random. */
  for (i = 0; i < 5; i++) {
    fv_engine_free(make_engine("default", 1));
    CHECK(sigaltstack(NULL, &after) == 0 && after.ss_sp == own.ss_sp && after.ss_size == own.ss_size);
  }
  CHECK(sigaltstack(&before, NULL) == 0);
}

/* ---- fork ---- */

static int compare_with_an_engine_of_its_own(void) {
  fv_engine *own = make_engine(NULL, 2);
  fv_decision *decision = compare_samples(own, "obama.jpg", "obama2.jpg");
  int result = fv_decision_result(decision);
  fv_decision_free(decision);
  fv_engine_free(own);
  return result;
}

static void a_process_forks_with_an_engine(void) {
  CHECK(in_child(compare_with_an_engine_of_its_own) == FV_RESULT_MATCH);
  CHECK(in_child(compare_with_an_engine_of_its_own) == FV_RESULT_MATCH);
}

/* A refusal is allowed, but the call must return. */
static int compare_with_the_parents_engine(void) {
  fv_input selfie = FV_INPUT_INIT, portrait = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  fv_status status;
  selfie.path = sample_path("obama.jpg");
  portrait.path = sample_path("obama2.jpg");
  status = compare_inputs(&decision, engine, &selfie, &portrait);
  if (status == FV_OK && fv_decision_result(decision) != FV_RESULT_MATCH) return 1;
  if (status != FV_OK && status != FV_E_WRONG_STATE) return 2;
  fv_decision_free(decision);
  return 0;
}

static int free_the_parents_engine(void) {
  fv_engine_free(engine);
  return 0;
}

static int exit_with_the_parents_engine(void) { exit(0); }

static void a_child_uses_its_parents_engine(void) {
  fv_decision *decision;
  CHECK(in_child(compare_with_the_parents_engine) == 0);
  CHECK(in_child(free_the_parents_engine) == 0);
  CHECK(in_child(exit_with_the_parents_engine) == 0);
  decision = compare_samples(engine, "obama.jpg", "obama2.jpg");
  CHECK(fv_decision_result(decision) == FV_RESULT_MATCH);
  fv_decision_free(decision);
}

/* ---- Location of the models ---- */

static char *folder;

static const char *in_folder(const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* A folder of links to the installed models. */
static void link_models(void) {
  static char name[] = "models.XXXXXX";
  char target[4096];
  fv_models *installed = NULL;
  fv_model model = FV_MODEL_INIT;
  DIR *directory;
  struct dirent *entry;
  strcpy(name + sizeof name - 7, "XXXXXX");
  folder = mkdtemp(name);
  require(fv_models_check(&installed, NULL, NULL, 0), "fv_models_check", NULL);
  require(fv_models_at(&model, installed, 0), "fv_models_at", NULL);
  snprintf(target, sizeof target, "%s", model.path);
  *strrchr(target, '/') = '\0';
  fv_models_free(installed);
  directory = opendir(target);
  while (directory != NULL && (entry = readdir(directory)) != NULL) {
    char path[8192];
    snprintf(path, sizeof path, "%s/%s", target, entry->d_name);
    if (entry->d_name[0] != '.' && symlink(path, in_folder(entry->d_name)) != 0) perror(path);
  }
  if (directory != NULL) closedir(directory);
}

static void remove_models(void) {
  DIR *directory = opendir(folder);
  struct dirent *entry;
  while ((entry = readdir(directory)) != NULL) unlink(in_folder(entry->d_name));
  closedir(directory);
  rmdir(folder);
}

static fv_status create_in(const char *models_folder, char *message) {
  fv_engine *made = NULL;
  fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
  fv_status status;
  options.models_folder = models_folder;
  *message = '\0';
  status = fv_engine_create(&made, FV_VERSION_NUMBER, &options, message, FV_MESSAGE_BYTES);
  /* A network is read when it is loaded. */
  if (status == FV_OK) status = fv_engine_preload(made, message, FV_MESSAGE_BYTES);
  fv_engine_free(made);
  return status;
}

static void a_missing_folder_is_reported(void) {
  char message[FV_MESSAGE_BYTES];
  fv_models *models = NULL;
  CHECK_STATUS(FV_E_MODEL_MISSING, create_in("/no/such/folder", message));
  CHECK(strstr(message, "/no/such/folder") != NULL && strchr(message, '\n') == NULL);
  *message = '\0';
  CHECK_STATUS(FV_E_MODEL_MISSING, fv_models_check(&models, "/no/such/folder", message, sizeof message));
  CHECK(models == NULL && strstr(message, "/no/such/folder") != NULL);
}

static void the_environment_names_the_folder(void) {
  const char *given = getenv("FACEVERIFY_MODELS");
  char *before = given ? strdup(given) : NULL, message[FV_MESSAGE_BYTES];
  link_models();
  setenv("FACEVERIFY_MODELS", "/no/such/folder", 1);
  CHECK_STATUS(FV_E_MODEL_MISSING, create_in(NULL, message));
  CHECK(strstr(message, "/no/such/folder") != NULL);
  CHECK_STATUS(FV_OK, create_in(folder, message));
  setenv("FACEVERIFY_MODELS", folder, 1);
  CHECK_STATUS(FV_OK, create_in(NULL, message));
  CHECK_STATUS(FV_E_MODEL_MISSING, create_in("/no/such/folder", message));
  if (before != NULL)
    setenv("FACEVERIFY_MODELS", before, 1);
  else
    unsetenv("FACEVERIFY_MODELS");
  free(before);
  remove_models();
}

/* Each file of the default set in turn is missing, then empty. */
static void broken_models_are_reported(void) {
  static const char *const roles[] = {"face_landmark.tflite", "calibration-default.json", "manifest.json"};
  char message[FV_MESSAGE_BYTES];
  size_t i;
  for (i = 0; i < COUNT(roles); i++) {
    fv_status status;
    int is_manifest = strcmp(roles[i], "manifest.json") == 0;
    FILE *file;
    link_models();
    unlink(in_folder(roles[i]));
    CHECK_STATUS(FV_E_MODEL_MISSING, create_in(folder, message));
    CHECK(strstr(message, roles[i]) != NULL);
    file = fopen(in_folder(roles[i]), "w");
    CHECK(file != NULL && fclose(file) == 0);
    status = create_in(folder, message);
    CHECK_STATUS(is_manifest ? FV_E_DAMAGED : FV_E_MODEL_MISMATCH, status);
    CHECK(strstr(message, roles[i]) != NULL);
    if (!is_manifest) {
      fv_models *models = NULL;
      fv_model model = FV_MODEL_INIT;
      size_t index, found = 0;
      CHECK_STATUS(FV_OK, fv_models_check(&models, folder, NULL, 0));
      for (index = 0; index < fv_models_count(models); index++) {
        CHECK_STATUS(FV_OK, fv_models_at(&model, models, index));
        if (strstr(model.path, roles[i]) == NULL) continue;
        found++;
        CHECK(model.state == FV_MODEL_STATE_MISMATCH && *model.remedy != '\0');
      }
      CHECK(found == 1);
      fv_models_free(models);
    }
    remove_models();
  }
}

/* Drops root's permission to read everything. */
static int is_ordinary(void) { return geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0); }

static int create_without_right(void) {
  char message[FV_MESSAGE_BYTES];
  if (!is_ordinary()) return 1;
  if (create_in(folder, message) != FV_E_MODEL_MISSING) return 2;
  if (strstr(message, folder) != NULL && strstr(message, "ermission denied") != NULL) return 0;
  printf("  found \"%s\"\n", message);
  fflush(stdout);
  return 3;
}

static void an_unreadable_folder_is_reported(void) {
  link_models();
  CHECK(chmod(folder, 0) == 0);
  CHECK(in_child(create_without_right) == 0);
  CHECK(chmod(folder, 0700) == 0);
  remove_models();
}

static void an_unreadable_model_is_reported(void) {
  FILE *file;
  link_models();
  CHECK(chmod(folder, 0755) == 0);
  unlink(in_folder("face_landmark.tflite"));
  file = fopen(in_folder("face_landmark.tflite"), "w");
  CHECK(file != NULL && fclose(file) == 0 && chmod(in_folder("face_landmark.tflite"), 0) == 0);
  CHECK(in_child(create_without_right) == 0);
  remove_models();
}

/* A cache that cannot be written costs time, but the engine works. */
static void an_unwritable_cache_is_ignored(void) {
  fv_engine *made = NULL;
  fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
  options.cache_folder = "/dev/null/cache";
  CHECK_STATUS(FV_OK, fv_engine_create(&made, FV_VERSION_NUMBER, &options, NULL, 0));
  fv_engine_free(made);
}

int main(void) {
  if (!has_samples()) return finish();
  RUN(a_missing_folder_is_reported);
  RUN(the_environment_names_the_folder);
  RUN(broken_models_are_reported);
  RUN(an_unreadable_folder_is_reported);
  RUN(an_unreadable_model_is_reported);
  RUN(an_unwritable_cache_is_ignored);
  RUN(two_engines_work);
  engine = make_engine(NULL, 2);
  RUN(signal_stacks_are_unchanged);
  RUN(a_process_forks_with_an_engine);
  RUN(a_child_uses_its_parents_engine);
  return finish();
}
