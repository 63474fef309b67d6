/* Records what a process does to the files below one folder, and makes it fail on request.
 *
 * Preloaded (LD_PRELOAD) into a worker. Every call that changes a file or folder is carried out
 * and written to the tape under one lock, so that the order on the tape is the order in which
 * things happened. A sync is on the tape when it has ended, with the number of entries that it
 * covers: those that stood there when it began.
 *
 *   SCRUTINEER_POWER_FOLDER   what is below this folder is recorded
 *   SCRUTINEER_POWER_TAPE     the tape; without one only faults happen
 *   SCRUTINEER_POWER_MARKS    writes to this file stand on the tape as marks
 *   SCRUTINEER_POWER_SYNC_US  how long a sync takes, in microseconds
 *   SCRUTINEER_POWER_FAULT    call:path:n:what, several divided by ';'
 *       call   write, sync (of a file), folder (sync of a folder), any
 *       path   a part of the path; empty: every path
 *       n      the how-manieth such call, from 1; 0: each
 *       what   swallow (says it did, and did not), eio, enospc, short (half, and the next call
 *              meets a full disk), kill
 *
 * A sync does not wait for the real disk: what survives is decided from the tape. As on Windows,
 * a file that was opened only to be read cannot be synced.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define PATH_LEN 1024
#define FILES 65536
#define RULES 8

enum { OPEN = 1, WRITE, TRUNCATE, SYNC, SYNC_FAILED, RENAME, UNLINK, MKDIR, RMDIR, MARK, UNKNOWN };
enum { AT_WRITE, AT_SYNC, AT_FOLDER, AT_ANY };
enum { NOTHING, SWALLOW, FAIL, FULL, SHORT };

struct entry {
    uint64_t kind, ino, a, b;
    uint32_t path_len, data_len;
};

struct file {
    uint64_t ino;
    char *path;
    int is_folder, is_marks;
};

struct rule {
    int call, what;
    char path[128];
    unsigned long n, seen;
    int now_full;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_LEN], marks[PATH_LEN];
static size_t root_len;
static dev_t device;
static int tape = -1;
static uint64_t entries;
static useconds_t sync_us;
static struct file files[FILES];
static struct rule rules[RULES];
static int rule_count;

static void die(const char *why) {
    syscall(SYS_write, 2, why, strlen(why));
    syscall(SYS_write, 2, "\n", 1);
    _exit(97);
}

static void read_rule(char *text) {
    char *call = strsep(&text, ":"), *path = strsep(&text, ":");
    char *n = strsep(&text, ":"), *what = strsep(&text, ":");
    if (!what || rule_count == RULES) die("recorder: a fault is call:path:n:what");
    struct rule *rule = &rules[rule_count++];
    rule->call = !strcmp(call, "write")    ? AT_WRITE
                 : !strcmp(call, "sync")   ? AT_SYNC
                 : !strcmp(call, "folder") ? AT_FOLDER
                                           : AT_ANY;
    rule->what = !strcmp(what, "swallow")  ? SWALLOW
                 : !strcmp(what, "eio")    ? FAIL
                 : !strcmp(what, "enospc") ? FULL
                 : !strcmp(what, "short")  ? SHORT
                                           : SIGKILL + 100;
    snprintf(rule->path, sizeof rule->path, "%s", path);
    rule->n = strtoul(n, NULL, 10);
}

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("SCRUTINEER_POWER_FOLDER");
    const char *on = getenv("SCRUTINEER_POWER_TAPE"), *mark = getenv("SCRUTINEER_POWER_MARKS");
    const char *us = getenv("SCRUTINEER_POWER_SYNC_US"), *fault = getenv("SCRUTINEER_POWER_FAULT");
    struct stat found;
    if (!folder) return;
    if (stat(folder, &found)) die("recorder: the folder is not there");
    device = found.st_dev;
    snprintf(root, sizeof root, "%s", folder);
    root_len = strlen(root);
    if (mark) snprintf(marks, sizeof marks, "%s", mark);
    if (us) sync_us = strtoul(us, NULL, 10);
    if (on) {
        tape = syscall(SYS_openat, AT_FDCWD, on, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (tape < 0) die("recorder: the tape cannot be opened");
    }
    if (fault) {
        char *all = strdup(fault), *rest = all, *one;
        while ((one = strsep(&rest, ";"))) read_rule(one);
        free(all);
    }
}

/* A full path without its root; NULL: outside of it. */
static const char *inside(const char *full) {
    if (!root_len || strncmp(full, root, root_len)) return NULL;
    if (full[root_len] == 0) return full + root_len;
    return full[root_len] == '/' ? full + root_len + 1 : NULL;
}

/* The path without steps that lead nowhere; NULL: too long. */
static const char *full_path(int dir, const char *path, char *out) {
    char raw[2 * PATH_LEN], base[PATH_LEN] = "";
    if (!path) return NULL;
    if (path[0] != '/') {
        if (dir == AT_FDCWD) {
            if (syscall(SYS_getcwd, base, sizeof base) < 0) return NULL;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
            ssize_t len = readlink(link, base, sizeof base - 1);
            if (len < 0) return NULL;
            base[len] = 0;
        }
    }
    if (snprintf(raw, sizeof raw, "%s/%s", base, path) >= PATH_LEN) return NULL;
    size_t len = 0;
    for (char *rest = raw, *part; (part = strsep(&rest, "/"));) {
        if (!*part || !strcmp(part, ".")) continue;
        if (!strcmp(part, "..")) {
            while (len && out[--len] != '/') {
            }
            continue;
        }
        len += sprintf(out + len, "/%s", part);
    }
    out[len] = 0;
    return out;
}

static void put(uint64_t kind, uint64_t ino, uint64_t a, uint64_t b, const char *path,
                const void *data, size_t data_len) {
    if (tape < 0) return;
    struct entry entry = {kind, ino, a, b, path ? strlen(path) : 0, data_len};
    struct iovec parts[3] = {{&entry, sizeof entry}, {(void *)path, entry.path_len}, {(void *)data, data_len}};
    size_t wanted = sizeof entry + entry.path_len + data_len;
    if (syscall(SYS_writev, tape, parts, 3) != (ssize_t)wanted) die("recorder: the tape is full");
    entries++;
}

static struct file *slot(uint64_t ino) {
    for (size_t at = ino * 0x9e3779b97f4a7c15u >> 48, i = 0; i < FILES; i++) {
        struct file *file = &files[(at + i) % FILES];
        if (!file->path || file->ino == ino) return file;
    }
    die("recorder: too many files");
    return NULL;
}

static void learn(uint64_t ino, const char *path, int is_folder, int is_marks) {
    struct file *file = slot(ino);
    free(file->path);
    *file = (struct file){ino, strdup(path), is_folder, is_marks};
}

/* What a descriptor stands for, if it is recorded. */
static struct file *of(int fd) {
    struct stat found;
    if (!root_len || fstat(fd, &found) || found.st_dev != device) return NULL;
    if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) return NULL;
    struct file *file = slot(found.st_ino);
    return file->path && file->ino != 0 ? file : NULL;
}

static int fault(int call, const struct file *file, const char *path) {
    const char *at = file ? file->path : path;
    for (int i = 0; i < rule_count; i++) {
        struct rule *rule = &rules[i];
        if ((rule->call != AT_ANY && rule->call != call) || !strstr(at, rule->path)) continue;
        rule->seen++;
        if (rule->now_full) {
            rule->now_full = 0;
            return FULL;
        }
        if (rule->n && rule->seen != rule->n) continue;
        if (rule->what > SIGKILL) {
            syscall(SYS_kill, getpid(), SIGKILL);
            for (;;) pause();
        }
        if (rule->what == SHORT) rule->now_full = 1;
        return rule->what;
    }
    return NOTHING;
}

static void enter(void) { pthread_mutex_lock(&lock); }

static void leave(void) {
    int kept = errno;
    pthread_mutex_unlock(&lock);
    errno = kept;
}

static int refuse(int why) {
    errno = why;
    return -1;
}

static int do_open(int dir, const char *path, int flags, mode_t mode) {
    char full[PATH_LEN];
    const char *at = full_path(dir, path, full) ? inside(full) : NULL;
    int is_marks = marks[0] && path && !strcmp(full, marks);
    if (!root_len) return syscall(SYS_openat, dir, path, flags, mode);
    enter();
    if (at && (flags & (O_CREAT | O_TRUNC)) && fault(AT_ANY, NULL, at) == FULL) {
        leave();
        return refuse(ENOSPC);
    }
    int fd = syscall(SYS_openat, dir, path, flags, mode);
    struct stat found;
    if (fd >= 0 && !fstat(fd, &found) && found.st_dev == device) {
        struct file *known = slot(found.st_ino);
        if (at || is_marks) {
            learn(found.st_ino, at ? at : "marks", S_ISDIR(found.st_mode), is_marks);
            int writes = (flags & O_ACCMODE) != O_RDONLY;
            int does = (flags & O_CREAT ? 1 : 0) | (flags & O_TRUNC && writes ? 2 : 0);
            if (at) put(OPEN, found.st_ino, does, 0, at, NULL, 0);
            if (at && (flags & O_TMPFILE) == O_TMPFILE) put(UNKNOWN, 0, 0, 0, "a nameless file", NULL, 0);
        } else if (known->path) {
            /* The number of a file that is gone was given to one elsewhere. */
            known->ino = 0;
        }
    }
    leave();
    return fd;
}

static mode_t mode_of(int flags, va_list rest) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPENS(name)                             \
    int name(const char *path, int flags, ...) { \
        va_list rest;                           \
        va_start(rest, flags);                  \
        mode_t mode = mode_of(flags, rest);     \
        va_end(rest);                           \
        return do_open(AT_FDCWD, path, flags, mode); \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                   \
    int name(int dir, const char *path, int flags, ...) { \
        va_list rest;                                    \
        va_start(rest, flags);                           \
        mode_t mode = mode_of(flags, rest);              \
        va_end(rest);                                    \
        return do_open(dir, path, flags, mode);          \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

int creat(const char *path, mode_t mode) {
    return do_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

/* `at` < 0: where the descriptor stands. */
static ssize_t do_write(int fd, const void *bytes, size_t len, off_t at) {
    enter();
    struct file *file = of(fd);
    if (!file) {
        leave();
        return at < 0 ? syscall(SYS_write, fd, bytes, len) : syscall(SYS_pwrite64, fd, bytes, len, at);
    }
    int what = file->is_marks ? NOTHING : fault(AT_WRITE, file, NULL);
    if (what == FULL || what == FAIL) {
        leave();
        return refuse(what == FULL ? ENOSPC : EIO);
    }
    if (what == SHORT && len > 1) len /= 2;
    ssize_t done = at < 0 ? syscall(SYS_write, fd, bytes, len) : syscall(SYS_pwrite64, fd, bytes, len, at);
    if (done > 0 && file->is_marks) {
        put(MARK, 0, 0, 0, NULL, bytes, done);
    } else if (done > 0) {
        off_t from = at < 0 ? lseek(fd, 0, SEEK_CUR) - done : at;
        put(WRITE, file->ino, from, 0, NULL, bytes, done);
    }
    leave();
    return done;
}

ssize_t write(int fd, const void *bytes, size_t len) { return do_write(fd, bytes, len, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at) { return do_write(fd, bytes, len, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t len, off_t at) { return do_write(fd, bytes, len, at); }

/* One part at a time: a short write is allowed, and the caller goes on. */
static ssize_t do_writev(int fd, const struct iovec *parts, int count, off_t at) {
    ssize_t done = 0;
    for (int i = 0; i < count; i++) {
        if (!parts[i].iov_len) continue;
        ssize_t one = do_write(fd, parts[i].iov_base, parts[i].iov_len, at < 0 ? -1 : at + done);
        if (one < 0) return done ? done : -1;
        done += one;
        if ((size_t)one < parts[i].iov_len) break;
    }
    return done;
}
ssize_t writev(int fd, const struct iovec *parts, int count) { return do_writev(fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
    return do_writev(fd, parts, count, at);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) {
    return do_writev(fd, parts, count, at);
}

/* Whoever copies this way falls back to reading and writing, which is recorded. */
static int is_recorded(int fd) {
    enter();
    int is = of(fd) != NULL;
    leave();
    return is;
}
ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t len, unsigned flags) {
    if (is_recorded(to)) return refuse(ENOSYS);
    return syscall(SYS_copy_file_range, from, from_at, to, to_at, len, flags);
}
static ssize_t do_sendfile(int to, int from, off_t *at, size_t len) {
    if (is_recorded(to)) return refuse(ENOSYS);
    return syscall(SYS_sendfile, to, from, at, len);
}
ssize_t sendfile(int to, int from, off_t *at, size_t len) { return do_sendfile(to, from, at, len); }
ssize_t sendfile64(int to, int from, off64_t *at, size_t len) { return do_sendfile(to, from, at, len); }
ssize_t splice(int from, off64_t *from_at, int to, off64_t *to_at, size_t len, unsigned flags) {
    if (is_recorded(to)) return refuse(EINVAL);
    return syscall(SYS_splice, from, from_at, to, to_at, len, flags);
}

static int do_ftruncate(int fd, off_t len) {
    enter();
    struct file *file = of(fd);
    int what = file ? fault(AT_ANY, file, NULL) : NOTHING;
    int done = what == FAIL ? refuse(EIO) : syscall(SYS_ftruncate, fd, len);
    if (!done && file) put(TRUNCATE, file->ino, len, 0, NULL, NULL, 0);
    leave();
    return done;
}
int ftruncate(int fd, off_t len) { return do_ftruncate(fd, len); }
int ftruncate64(int fd, off64_t len) { return do_ftruncate(fd, len); }

static int do_truncate(const char *path, off_t len) {
    int fd = do_open(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
    if (fd < 0) return -1;
    int done = do_ftruncate(fd, len);
    int kept = errno;
    close(fd);
    errno = kept;
    return done;
}
int truncate(const char *path, off_t len) { return do_truncate(path, len); }
int truncate64(const char *path, off64_t len) { return do_truncate(path, len); }

static int do_fallocate(int fd, int mode, off_t at, off_t len) {
    enter();
    struct file *file = of(fd);
    struct stat before;
    fstat(fd, &before);
    int done = syscall(SYS_fallocate, fd, mode, at, len);
    if (!done && file && mode == 0 && at + len > before.st_size) put(TRUNCATE, file->ino, at + len, 0, NULL, NULL, 0);
    if (!done && file && mode & ~FALLOC_FL_KEEP_SIZE) put(UNKNOWN, 0, 0, 0, "fallocate", NULL, 0);
    leave();
    return done;
}
int fallocate(int fd, int mode, off_t at, off_t len) { return do_fallocate(fd, mode, at, len); }
int fallocate64(int fd, int mode, off64_t at, off64_t len) { return do_fallocate(fd, mode, at, len); }
int posix_fallocate(int fd, off_t at, off_t len) { return do_fallocate(fd, 0, at, len) ? errno : 0; }
int posix_fallocate64(int fd, off64_t at, off64_t len) { return do_fallocate(fd, 0, at, len) ? errno : 0; }

static int do_sync(int fd, long call) {
    enter();
    struct file *file = of(fd);
    if (!file) {
        leave();
        return syscall(call, fd);
    }
    if (!file->is_folder && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY) {
        die("recorder: a file is synced that was opened only to be read, which Windows refuses");
    }
    uint64_t covers = entries, ino = file->ino;
    int what = fault(file->is_folder ? AT_FOLDER : AT_SYNC, file, NULL);
    leave();
    if (what == SWALLOW) return 0;
    if (sync_us && what == NOTHING) usleep(sync_us);
    enter();
    put(what == NOTHING ? SYNC : SYNC_FAILED, ino, covers, 0, NULL, NULL, 0);
    leave();
    return what == NOTHING ? 0 : refuse(what == FULL ? ENOSPC : EIO);
}
int fsync(int fd) { return do_sync(fd, SYS_fsync); }
int fdatasync(int fd) { return do_sync(fd, SYS_fdatasync); }

/* Starts writing and waits for nothing: after a power cut it might not have been called. */
int sync_file_range(int fd, off64_t at, off64_t len, unsigned flags) {
    if (is_recorded(fd)) return 0;
    return syscall(SYS_sync_file_range, fd, at, len, flags);
}
void sync(void) {
    enter();
    put(UNKNOWN, 0, 0, 0, "sync", NULL, 0);
    leave();
}
int syncfs(int fd) {
    sync();
    return syscall(SYS_syncfs, fd);
}

static void *do_mmap(void *where, size_t len, int prot, int flags, int fd, off_t at) {
    if (fd >= 0 && prot & PROT_WRITE && (flags & MAP_TYPE) != MAP_PRIVATE && is_recorded(fd)) {
        enter();
        put(UNKNOWN, 0, 0, 0, "a file mapped into memory to be written", NULL, 0);
        leave();
    }
    return (void *)syscall(SYS_mmap, where, len, prot, flags, fd, at);
}
void *mmap(void *where, size_t len, int prot, int flags, int fd, off_t at) {
    return do_mmap(where, len, prot, flags, fd, at);
}
void *mmap64(void *where, size_t len, int prot, int flags, int fd, off64_t at) {
    return do_mmap(where, len, prot, flags, fd, at);
}

static int do_rename(int dir, const char *path, int to_dir, const char *to, unsigned flags) {
    char full[PATH_LEN], to_full[PATH_LEN];
    const char *at = full_path(dir, path, full) ? inside(full) : NULL;
    const char *to_at = full_path(to_dir, to, to_full) ? inside(to_full) : NULL;
    enter();
    int what = at ? fault(AT_ANY, NULL, at) : NOTHING;
    int done = what == FAIL ? refuse(EIO) : syscall(SYS_renameat2, dir, path, to_dir, to, flags);
    if (!done && (at || to_at)) {
        if (at && to_at && !flags) {
            put(RENAME, 0, 0, 0, at, to_at, strlen(to_at));
        } else {
            put(UNKNOWN, 0, 0, 0, "a rename across the edge", NULL, 0);
        }
        size_t len = at ? strlen(at) : 0;
        for (size_t i = 0; at && to_at && i < FILES; i++) {
            char *old = files[i].path;
            if (!old || strncmp(old, at, len) || (old[len] && old[len] != '/')) continue;
            if (asprintf(&files[i].path, "%s%s", to_at, old + len) < 0) die("recorder: no memory");
            free(old);
        }
    }
    leave();
    return done;
}
int rename(const char *path, const char *to) { return do_rename(AT_FDCWD, path, AT_FDCWD, to, 0); }
int renameat(int dir, const char *path, int to_dir, const char *to) {
    return do_rename(dir, path, to_dir, to, 0);
}
int renameat2(int dir, const char *path, int to_dir, const char *to, unsigned flags) {
    return do_rename(dir, path, to_dir, to, flags);
}

static int do_unlink(int dir, const char *path, int flags) {
    char full[PATH_LEN];
    const char *at = full_path(dir, path, full) ? inside(full) : NULL;
    enter();
    int what = at ? fault(AT_ANY, NULL, at) : NOTHING;
    int done = what == FAIL ? refuse(EIO) : syscall(SYS_unlinkat, dir, path, flags);
    if (!done && at) put(flags & AT_REMOVEDIR ? RMDIR : UNLINK, 0, 0, 0, at, NULL, 0);
    leave();
    return done;
}
int unlink(const char *path) { return do_unlink(AT_FDCWD, path, 0); }
int unlinkat(int dir, const char *path, int flags) { return do_unlink(dir, path, flags); }
int rmdir(const char *path) { return do_unlink(AT_FDCWD, path, AT_REMOVEDIR); }

static int do_mkdir(int dir, const char *path, mode_t mode) {
    char full[PATH_LEN];
    const char *at = full_path(dir, path, full) ? inside(full) : NULL;
    enter();
    int what = at ? fault(AT_ANY, NULL, at) : NOTHING;
    int done = what == FULL ? refuse(ENOSPC) : syscall(SYS_mkdirat, dir, path, mode);
    if (!done && at) put(MKDIR, 0, 0, 0, at, NULL, 0);
    leave();
    return done;
}
int mkdir(const char *path, mode_t mode) { return do_mkdir(AT_FDCWD, path, mode); }
int mkdirat(int dir, const char *path, mode_t mode) { return do_mkdir(dir, path, mode); }

static int do_link(int dir, const char *path, int to_dir, const char *to, int flags) {
    char full[PATH_LEN];
    int done = syscall(SYS_linkat, dir, path, to_dir, to, flags);
    if (!done && full_path(to_dir, to, full) && inside(full)) {
        enter();
        put(UNKNOWN, 0, 0, 0, "a second name of a file", NULL, 0);
        leave();
    }
    return done;
}
int link(const char *path, const char *to) { return do_link(AT_FDCWD, path, AT_FDCWD, to, 0); }
int linkat(int dir, const char *path, int to_dir, const char *to, int flags) {
    return do_link(dir, path, to_dir, to, flags);
}
static int do_symlink(const char *leads, int dir, const char *path) {
    char full[PATH_LEN];
    int done = syscall(SYS_symlinkat, leads, dir, path);
    if (!done && full_path(dir, path, full) && inside(full)) {
        enter();
        put(UNKNOWN, 0, 0, 0, "a symbolic link", NULL, 0);
        leave();
    }
    return done;
}
int symlink(const char *leads, const char *path) { return do_symlink(leads, AT_FDCWD, path); }
int symlinkat(const char *leads, int dir, const char *path) { return do_symlink(leads, dir, path); }
