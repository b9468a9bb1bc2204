// A root file system with a few files, for scripts on hosts that have few programs.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Argv, CommandResult } from '../../../src/domain/command.ts';
import { findProgram } from '../programs/find-program.ts';
import { describeUnless } from '../vitest/conditional-suites.ts';

/** Programs of every root. */
const PROGRAMS = ['sh', 'df', 'env', 'rm', 'true'];

/** Users other than root need a user namespace. */
const CHROOT_PREFIX: readonly string[] = process.getuid?.() === 0 ? [] : ['unshare', '--user', '--map-root-user'];
/** A network namespace protects the links of this machine. */
const OFFLINE_PREFIX: readonly string[] = [...(CHROOT_PREFIX.length > 0 ? CHROOT_PREFIX : ['unshare']), '--net'];

interface RootContents {
  /** By absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly folders?: readonly string[];
  /** Target by path. */
  readonly links?: Readonly<Record<string, string>>;
  /** busybox prefers its own applets over tools with the same name. */
  readonly programsFrom?: 'busybox' | 'this machine';
  /** Additional programs of this machine or busybox. */
  readonly programs?: readonly string[];
  /** Has no network links. Default: those of this machine. */
  readonly isOffline?: boolean;
  /** Shell scripts by name. Each call is recorded first. */
  readonly tools?: Readonly<Record<string, string>>;
}

export interface MinimalRoot {
  /** `input` is the standard input. */
  run(argv: Argv, input?: string): CommandResult;
  /** Calls of the tools in order. */
  calls(): readonly string[];
  has(file: string): boolean;
  read(file: string): string;
  /** File mode, such as 0o600. */
  mode(file: string): number;
  /** All entries except programs and libraries: empty for folders, mode and content for files. */
  tree(): Readonly<Record<string, string>>;
}

const EXCLUDED_FROM_TREE = /^(bin|lib|lib64|usr|dev|calls)(\/|$)/;

function readTree(root: string): Readonly<Record<string, string>> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => !EXCLUDED_FROM_TREE.test(name));
  const describeEntry = (name: string) => {
    const stat = statSync(path.join(root, name));
    if (stat.isDirectory()) return '';
    return `${(stat.mode & 0o777).toString(8)} ${readFileSync(path.join(root, name), 'utf8')}`;
  };
  return Object.fromEntries(names.sort().map(name => [`/${name}`, describeEntry(name)]));
}

/** Files of a program and its libraries by program name. */
const programFiles = new Map<string, readonly (readonly [from: string, to: string])[]>();

function listProgramFiles(name: string): readonly (readonly [from: string, to: string])[] {
  const program = findProgram(name);
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library);
  return [[program, `/bin/${name}`], ...libraries.map(library => [library, library] as const)];
}

function copyProgram(root: string, name: string): void {
  const files = programFiles.get(name) ?? listProgramFiles(name);
  programFiles.set(name, files);
  for (const [from, to] of files) {
    if (existsSync(path.join(root, to))) continue;
    mkdirSync(path.dirname(path.join(root, to)), { recursive: true });
    copyFileSync(from, path.join(root, to));
  }
}

function createFiles(root: string, contents: RootContents): void {
  const { files = {}, folders = [], links = {}, tools = {}, programsFrom = 'busybox', programs = [] } = contents;
  const toPath = (name: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    return path.join(root, name);
  };
  if (programsFrom === 'busybox') copyProgram(root, 'busybox');
  for (const program of [...PROGRAMS, ...programs]) {
    if (programsFrom === 'busybox') symlinkSync('busybox', toPath(`bin/${program}`));
    else copyProgram(root, program);
  }
  for (const [name, text] of Object.entries({ '/dev/null': '', ...files })) writeFileSync(toPath(name), text);
  for (const folder of folders) mkdirSync(path.join(root, folder), { recursive: true });
  for (const [name, target] of Object.entries(links)) symlinkSync(target, toPath(name));
  for (const [name, script] of Object.entries(tools)) {
    rmSync(toPath(`bin/${name}`), { force: true });
    writeFileSync(toPath(`bin/${name}`), `#!/bin/sh\necho "${name} $*" >>/calls\n${script}\n`);
    chmodSync(toPath(`bin/${name}`), 0o755);
  }
}

export function inMinimalRoot<Result>(contents: RootContents, use: (root: MinimalRoot) => Result): Result {
  const root = mkdtempSync(path.join(tmpdir(), 'hostler-root-'));
  const inside = (file: string) => path.join(root, file);
  try {
    createFiles(root, contents);
    return use({
      run: (argv, input) => {
        const prefix = contents.isOffline ? OFFLINE_PREFIX : CHROOT_PREFIX;
        const [program = '', ...args] = [...prefix, 'chroot', root, '/bin/env', '-i', 'PATH=/bin', ...argv];
        const { status, stdout, stderr, error } = spawnSync(program, args, { timeout: 20_000, input });
        if (error) throw error;
        return { exitCode: status ?? -1, stdout, stderr };
      },
      calls: () => (existsSync(inside('calls')) ? readFileSync(inside('calls'), 'utf8').trim().split('\n') : []),
      has: file => existsSync(inside(file)),
      read: file => readFileSync(inside(file), 'utf8'),
      mode: file => statSync(inside(file)).mode & 0o777,
      tree: () => readTree(root),
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function checkSupport(): string | undefined {
  try {
    const { exitCode, stderr } = inMinimalRoot({}, root => root.run(['true']));
    return exitCode === 0 ? undefined : `chroot failed: ${stderr.toString()}`;
  } catch (error) {
    return `chroot failed: ${String(error)}`;
  }
}

/** Skipped with a message if chroot is not possible. */
export const describeInMinimalRoot = (name: string, tests: () => void): void =>
  describeUnless(checkSupport(), name, tests);
