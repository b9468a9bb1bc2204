import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { runCli } from '../../../src/cli/main.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import { systemClock } from '../../../src/lib/time/clock.ts';
import type { ServiceOverrides } from '../../../src/server/start-service.ts';
import { ADMIN_PASSWORD } from '../credentials.ts';
import type { TestService } from '../service.ts';
import { startTestService } from '../service.ts';
import { recordCommand } from '../vitest/last-requests.ts';

export interface CliOptions {
  /** Width of the terminal. Default: stdout is a pipe. */
  readonly columns?: number;
  readonly usesColour?: boolean;
  readonly isStderrTerminal?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** Input for the prompts in order. Default: no prompt is possible. */
  readonly promptAnswers?: readonly string[];
  readonly input?: string;
  readonly clock?: Terminal['clock'];
  /** Addresses of DNS names. Other names cannot be resolved. */
  readonly dnsNames?: Readonly<Record<string, readonly string[]>>;
  /** Called with the complete stdout after each write. */
  readonly onStdout?: (stdout: string) => void;
  /** The same for stderr. */
  readonly onStderr?: (stderr: string) => void;
  /** Receives a function that simulates Ctrl-C. */
  readonly onInterruptible?: (interrupt: () => void) => void;
}

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly prompts: readonly string[];
  /** The prompts with hidden input. */
  readonly secretPrompts: readonly string[];
}

/** A temporary home folder. */
export async function createHome(): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'hostler-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Runs a command line; words in double quotes stay together. */
export async function hostler(line: string, options: CliOptions = {}): Promise<CliResult> {
  const { columns, usesColour: hasColor = false, environment = {}, promptAnswers, input = '' } = options;
  let [stdout, stderr] = ['', ''];
  const [prompts, secretPrompts]: [string[], string[]] = [[], []];
  const remainingAnswers = [...(promptAnswers ?? [])];
  const terminal: Terminal = {
    isStdoutTty: columns !== undefined,
    supportsCursor: columns !== undefined && environment['TERM'] !== 'dumb',
    columns: columns ?? 80,
    rows: 24,
    hasColor,
    isStderrTty: options.isStderrTerminal ?? false,
    canPrompt: promptAnswers !== undefined,
    environment,
    clock: options.clock ?? systemClock,
    writeOut: text => {
      stdout += text;
      options.onStdout?.(stdout);
    },
    writeErr: text => {
      stderr += text;
      options.onStderr?.(stderr);
    },
    prompt: async (question, { isSecret = false } = {}) => {
      prompts.push(question);
      if (isSecret) secretPrompts.push(question);
      return remainingAnswers.shift() ?? '';
    },
    readStdin: async () => input,
    lookup: async name => {
      const found = options.dnsNames?.[name];
      if (found === undefined) throw Object.assign(new Error(`unknown name ${name}`), { code: 'ENOTFOUND' });
      return found;
    },
    onInterrupt: callback => {
      options.onInterruptible?.(callback);
      return () => {};
    },
    run: (program, args, { environment: overrides, signal }) => {
      const child = spawn(program, args, { env: { ...overrides } });
      signal.addEventListener('abort', () => child.kill('SIGTERM'));
      child.stdin.on('error', () => {}).end(input);
      child.stdout.on('data', text => {
        stdout += text;
      });
      child.stderr.on('data', text => {
        stderr += text;
      });
      return new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, by) => resolve(code ?? 128 + constants.signals[by ?? 'SIGKILL']));
      });
    },
  };
  const argv = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const command = recordCommand('hostler', line);
  const exitCode = await runCli(terminal, argv, '0.0.0');
  command.result = `exit ${exitCode}`;
  if (exitCode !== 0) command.responseBody.append(stderr);
  return { exitCode, stdout, stderr, prompts, secretPrompts };
}

/** Environment of the admin account, without a home folder. */
export const asAdmin = (url: string): Readonly<Record<string, string>> => ({
  HOME: '/nonexistent',
  HOSTLER_URL: url,
  HOSTLER_PASSWORD: ADMIN_PASSWORD,
});

interface CliSuite {
  readonly settings?: Readonly<Record<string, string>>;
  readonly overrides?: ServiceOverrides;
}

/** Runs a suite against its own server; `run` uses the admin account. */
export function describeCli(
  name: string,
  { settings, overrides }: CliSuite,
  suite: (run: typeof hostler, service: () => TestService) => void,
): void {
  describe(name, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService('sqlite', settings, overrides);
    });
    afterAll(() => service.stop());
    suite(
      (line, overrides) => hostler(line, { environment: asAdmin(service.url), ...overrides }),
      () => service,
    );
  });
}
