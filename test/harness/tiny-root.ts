// A root file system of a few files, to run scripts in as they would run on a host that has nothing else.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe } from 'vitest';
import type { Argv, Ran } from '../../src/domain/command.ts';

/** All that these hosts have, beside the tools that a test gives them. */
const PROGRAMS = ['sh', 'df', 'env', 'rm', 'true'];

/** Only root may change the root directory; others as a pretend root, where the kernel lets them. */
const INTO: readonly string[] = process.getuid?.() === 0 ? [] : ['unshare', '--user', '--map-root-user'];

interface Contents {
  /** By absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly folders?: readonly string[];
  /** What each points to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Whose programs: busybox runs its own before any tool that is called the same. */
  readonly of?: 'busybox' | 'this machine';
  /** Of this machine's programs, those that a script needs beside a shell; busybox has its own. */
  readonly programs?: readonly string[];
  /** By name: what each does, in a shell, after it has noted how it was called. */
  readonly tools?: Readonly<Record<string, string>>;
}

export interface TinyRoot {
  /** `input` is what the command reads. */
  run(argv: Argv, input?: string): Ran;
  /** How the tools were called, in order. */
  calls(): readonly string[];
  has(file: string): boolean;
  read(file: string): string;
  /** Of the permissions, as in 0o600. */
  mode(file: string): number;
}

const pathOf = (program: string): string => spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim();

/** By name: where it is, and the libraries that it needs. */
const found = new Map<string, { program: string; libraries: readonly string[] }>();

function findProgram(name: string): { program: string; libraries: readonly string[] } {
  const program = pathOf(name);
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return { program, libraries: [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library) };
}

/** A program of this machine, with all that it needs. */
function copyProgram(root: string, name: string): void {
  const { program, libraries } = found.get(name) ?? findProgram(name);
  found.set(name, { program, libraries });
  for (const [from, to] of [[program, `/bin/${name}`], ...libraries.map(library => [library, library])]) {
    mkdirSync(path.dirname(path.join(root, to ?? '')), { recursive: true });
    copyFileSync(from ?? '', path.join(root, to ?? ''));
  }
}

function fill(root: string, contents: Contents): void {
  const { files = {}, folders = [], links = {}, tools = {}, of = 'busybox', programs = [] } = contents;
  const place = (name: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    return path.join(root, name);
  };
  if (of === 'busybox') copyFileSync(pathOf('busybox'), place('bin/busybox'));
  for (const program of [...PROGRAMS, ...programs]) {
    if (of === 'busybox') symlinkSync('busybox', place(`bin/${program}`));
    else copyProgram(root, program);
  }
  for (const [name, text] of Object.entries({ '/dev/null': '', ...files })) writeFileSync(place(name), text);
  for (const folder of folders) mkdirSync(path.join(root, folder), { recursive: true });
  for (const [name, target] of Object.entries(links)) symlinkSync(target, place(name));
  for (const [name, script] of Object.entries(tools)) {
    rmSync(place(`bin/${name}`), { force: true });
    writeFileSync(place(`bin/${name}`), `#!/bin/sh\necho "${name} $*" >>/calls\n${script}\n`);
    chmodSync(place(`bin/${name}`), 0o755);
  }
}

export function inTinyRoot<Answer>(contents: Contents, use: (root: TinyRoot) => Answer): Answer {
  const root = mkdtempSync(path.join(tmpdir(), 'hostler-root-'));
  const inside = (file: string) => path.join(root, file);
  try {
    fill(root, contents);
    return use({
      run: (argv, input = '') => {
        const [program = '', ...args] = [...INTO, 'chroot', root, '/bin/env', '-i', 'PATH=/bin', ...argv];
        const { status, stdout, stderr, error } = spawnSync(program, args, { input, timeout: 20_000 });
        if (error) throw error;
        return { exitCode: status ?? -1, stdout, stderr };
      },
      calls: () =>
        existsSync(inside('calls')) ? readFileSync(inside('calls'), 'utf8').trim().split('\n') : [],
      has: file => existsSync(inside(file)),
      read: file => readFileSync(inside(file), 'utf8'),
      mode: file => statSync(inside(file)).mode & 0o777,
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function problem(): string | undefined {
  try {
    const { exitCode, stderr } = inTinyRoot({}, root => root.run(['true']));
    return exitCode === 0 ? undefined : stderr.toString();
  } catch (error) {
    return String(error);
  }
}

/** As `describe`; where no tiny root can be made, it says so and leaves the tests out. */
export function describeInTinyRoot(name: string, tests: () => void): void {
  const reason = problem();
  if (reason !== undefined)
    process.stderr.write(
      `SKIPPED: ${name}, since no tiny root can be made here (as root on Debian, npm test installs busybox-static): ${reason}\n`,
    );
  describe.runIf(reason === undefined)(name, tests);
}
