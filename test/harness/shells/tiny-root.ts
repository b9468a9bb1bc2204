// A root file system of a few files, to run scripts in as they would run on a host that has nothing else.

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
import { describeUnless } from '../describe-unless.ts';

/** All that these hosts have, beside the tools that a test gives them. */
const PROGRAMS = ['sh', 'df', 'env', 'rm', 'true'];

/** Only root may change the root directory; others as a pretend root, where the kernel lets them. */
const INTO: readonly string[] = process.getuid?.() === 0 ? [] : ['unshare', '--user', '--map-root-user'];
/** Where it has no link of this machine's, so that nothing it does to links is done to ours. */
const OFFLINE: readonly string[] = [...(INTO.length > 0 ? INTO : ['unshare']), '--net'];

interface Contents {
  /** By absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly folders?: readonly string[];
  /** What each points to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Whose programs: busybox runs its own before any tool that is called the same. */
  readonly of?: 'busybox' | 'this machine';
  /** What it has beside the standard: of this machine, or of busybox. */
  readonly programs?: readonly string[];
  /** Without any link. Default: it has those of this machine. */
  readonly isOffline?: boolean;
  /** By name: what each does, in a shell, after it has noted how it was called. */
  readonly tools?: Readonly<Record<string, string>>;
}

export interface TinyRoot {
  /** `input` is what the command reads. */
  run(argv: Argv, input?: string): CommandResult;
  /** How the tools were called, in order. */
  calls(): readonly string[];
  has(file: string): boolean;
  read(file: string): string;
  /** Of the permissions, as in 0o600. */
  mode(file: string): number;
  /** Everything in it but programs and what they need: folders by `''`, files by their rights and what is in them. */
  tree(): Readonly<Record<string, string>>;
}

/** What is no part of the tree of a root. */
const OF_THE_ROOT = /^(bin|lib|lib64|usr|dev|calls)(\/|$)/;

function treeOf(root: string): Readonly<Record<string, string>> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    name => !OF_THE_ROOT.test(name),
  );
  const shown = (name: string) => {
    const stat = statSync(path.join(root, name));
    if (stat.isDirectory()) return '';
    return `${(stat.mode & 0o777).toString(8)} ${readFileSync(path.join(root, name), 'utf8')}`;
  };
  return Object.fromEntries(names.sort().map(name => [`/${name}`, shown(name)]));
}

const pathOf = (program: string): string => spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim();

/** By name: a program of this machine, and the libraries that it needs. */
const needed = new Map<string, readonly (readonly [from: string, to: string])[]>();

function filesOf(name: string): readonly (readonly [from: string, to: string])[] {
  const program = pathOf(name);
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library);
  return [[program, `/bin/${name}`], ...libraries.map(library => [library, library] as const)];
}

function copyProgram(root: string, name: string): void {
  const files = needed.get(name) ?? filesOf(name);
  needed.set(name, files);
  for (const [from, to] of files) {
    if (existsSync(path.join(root, to))) continue;
    mkdirSync(path.dirname(path.join(root, to)), { recursive: true });
    copyFileSync(from, path.join(root, to));
  }
}

function fill(root: string, contents: Contents): void {
  const { files = {}, folders = [], links = {}, tools = {}, of = 'busybox', programs = [] } = contents;
  const place = (name: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    return path.join(root, name);
  };
  if (of === 'busybox') copyProgram(root, 'busybox');
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
      run: (argv, input) => {
        const into = contents.isOffline ? OFFLINE : INTO;
        const [program = '', ...args] = [...into, 'chroot', root, '/bin/env', '-i', 'PATH=/bin', ...argv];
        const { status, stdout, stderr, error } = spawnSync(program, args, { timeout: 20_000, input });
        if (error) throw error;
        return { exitCode: status ?? -1, stdout, stderr };
      },
      calls: () =>
        existsSync(inside('calls')) ? readFileSync(inside('calls'), 'utf8').trim().split('\n') : [],
      has: file => existsSync(inside(file)),
      read: file => readFileSync(inside(file), 'utf8'),
      mode: file => statSync(inside(file)).mode & 0o777,
      tree: () => treeOf(root),
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
export const describeInTinyRoot = (name: string, tests: () => void): void =>
  describeUnless(problem(), 'no tiny root can be made', name, tests);
