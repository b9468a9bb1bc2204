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
import type { TestService } from '../service.ts';
import { ADMIN_PASSWORD, startTestService } from '../service.ts';

export interface CliOptions {
  /** As wide as this, and looked at by somebody; left out: a pipe. */
  readonly columns?: number;
  readonly hasColour?: boolean;
  /** What is said is seen at once. */
  readonly isHeard?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** What is typed when it asks, in this order; left out: nobody can be asked. */
  readonly answers?: readonly string[];
  readonly input?: string;
  readonly clock?: Terminal['clock'];
  /** Is told all that was written so far, each time there is more. */
  readonly onWrite?: (stdout: string) => void;
  /** The same of what was said. */
  readonly onTell?: (stderr: string) => void;
  /** Ctrl-C is pressed when this is called. */
  readonly onInterruptible?: (interrupt: () => void) => void;
}

export interface CliRan {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly asked: readonly string[];
  /** Of these, the ones whose answer is not shown while it is typed. */
  readonly askedSecretly: readonly string[];
}

/** A home of its own, for the time of the test. */
export async function makeHome(): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'hostler-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Runs a command as somebody would type it; words in double quotes stay together. */
export async function hostler(line: string, options: CliOptions = {}): Promise<CliRan> {
  const { columns, hasColour: hasColor = false, environment = {}, answers, input = '' } = options;
  let [stdout, stderr] = ['', ''];
  const [asked, askedSecretly]: [string[], string[]] = [[], []];
  const left = [...(answers ?? [])];
  const terminal: Terminal = {
    isStdoutTty: columns !== undefined,
    supportsCursor: columns !== undefined && environment['TERM'] !== 'dumb',
    columns: columns ?? 80,
    rows: 24,
    hasColor,
    isStderrTty: options.isHeard ?? false,
    canPrompt: answers !== undefined,
    environment,
    clock: options.clock ?? systemClock,
    writeOut: text => {
      stdout += text;
      options.onWrite?.(stdout);
    },
    writeErr: text => {
      stderr += text;
      options.onTell?.(stderr);
    },
    prompt: async (question, { isSecret = false } = {}) => {
      asked.push(question);
      if (isSecret) askedSecretly.push(question);
      return left.shift() ?? '';
    },
    readStdin: async () => input,
    onInterrupt: callback => {
      options.onInterruptible?.(callback);
      return () => {};
    },
    run: (program, args, { environment: given, signal }) => {
      const child = spawn(program, args, { env: { ...given } });
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
  const exitCode = await runCli(terminal, argv, '0.0.0');
  return { exitCode, stdout, stderr, asked, askedSecretly };
}

/** As admin of a service, without anything that is kept in a home. */
export const asAdmin = (url: string): Readonly<Record<string, string>> => ({
  HOME: '/nonexistent',
  HOSTLER_URL: url,
  HOSTLER_PASSWORD: ADMIN_PASSWORD,
});

interface CliSuite {
  readonly settings?: Readonly<Record<string, string>>;
  readonly overrides?: ServiceOverrides;
  /** Of each test, in milliseconds. */
  readonly timeout?: number;
}

/** Runs a suite against a service of its own, with `run` as its admin. The service is there when the tests run. */
export function describeCli(
  what: string,
  { settings, overrides, ...options }: CliSuite,
  suite: (run: typeof hostler, service: () => TestService) => void,
): void {
  describe(what, options, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService('sqlite', settings, overrides);
    });
    afterAll(() => service.stop());
    suite(
      (line, given) => hostler(line, { environment: asAdmin(service.url), ...given }),
      () => service,
    );
  });
}
