import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { readPolicyInput } from './policy-input.ts';
import type { PolicyFlags } from './policy-options.ts';
import { withPolicyOptions } from './policy-options.ts';

/** Parses command-line arguments; `input` is a policy on stdin. */
async function parsePolicy(args: readonly string[], input = '', current: Readonly<Record<string, unknown>> = {}) {
  const command = withPolicyOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  command.parse(args, { from: 'user' });
  return readPolicyInput(command.opts<PolicyFlags>(), { readStdin: async () => input }, current);
}

describe('readPolicyInput()', () => {
  test.each<[readonly string[], object | undefined]>([
    [[], undefined],
    [['--max-unavailable', '25%'], { max_unavailable: '25%' }],
    [['--max-unavailable', '3', '--max-failures', '10%'], { max_unavailable: 3, max_failures: '10%' }],
    [['--canary', '1', '--ramp'], { canary: 1, ramp: true }],
    [['--no-ramp'], { ramp: false }],
    [['--unhealthy', 'exclude', '--max-excluded', '20%'], { unhealthy: 'exclude', max_excluded: '20%' }],
    [['--unhealthy', 'count', '--max-excluded', '3'], { unhealthy: 'count', max_excluded: 3 }],
    [['--wait-for-hosts'], { wait: true }],
    [['--no-wait-for-hosts'], { wait: false }],
    [['--on-failure', 'pause', '--reboot', 'if_needed'], { on_failure: 'pause', reboot: 'if_needed' }],
    [['--hosts', '127.0.0.1, 127.0.0.2', '--hosts', '127.0.0.3'], { hosts: ['127.0.0.1', '127.0.0.2', '127.0.0.3'] }],
    [['-l', 'a=1', '--label', 'b'], { labels: ['a=1', 'b'] }],
    [['--order', '127.0.0.2'], { order: ['127.0.0.2'] }],
    [['--check', 'curl -fsS http://127.0.0.1'], { check: ['curl', '-fsS', 'http://127.0.0.1'] }],
    [['--check', '["sh", "-c", "a b"]'], { check: ['sh', '-c', 'a b'] }],
    [['--no-check', '--no-window'], { check: null, window: null }],
    [['--no-drain'], { drain: false }],
    [['--drain-timeout', '1m', '--drain-force'], { drain: { timeout_s: 60, on_timeout: 'force' } }],
    [['--timeout', 'reboot=10m', '--timeout', 'ready=5'], { timeouts: { reboot: 600, ready: 5 } }],
    [['--min-healthy', '90s'], { min_healthy_s: 90 }],
    [['--min-healthy', '0', '--stage-parallel', '5'], { min_healthy_s: 0, stage_parallel: 5 }],
    [
      ['--window', 'fri-mon,wed 22:00-04:00 Europe/Berlin'],
      {
        window: {
          days: ['fri', 'sat', 'sun', 'mon', 'wed'],
          start: '22:00',
          end: '04:00',
          zone: 'Europe/Berlin',
        },
      },
    ],
  ])('parses %j', async (args, expected) => {
    expect(await parsePolicy(args)).toEqual(expected);
  });

  test('merges flags over the file, and the file over the current policy', async () => {
    const file = 'max_unavailable: 25%\ntimeouts: {ready: 5}\n';
    const args = ['--policy', '-', '--canary', '1', '--timeout', 'stage=9'];
    expect(await parsePolicy(args, file, { ramp: true })).toEqual({
      ...{ max_unavailable: '25%', canary: 1, timeouts: { ready: 5, stage: 9 } },
    });
    expect(await parsePolicy(['--canary', '1'], '', { ramp: true })).toEqual({ ramp: true, canary: 1 });
  });

  test.each<[readonly string[], RegExp]>([
    [['--max-unavailable', 'some'], /whole number/],
    [['--max-unavailable', '0'], /^invalid policy: --max-unavailable must be a whole number from 1/],
    [['--on-failure', 'cry'], /Allowed choices are fail, pause/],
    [['--unhealthy', 'ignore'], /Allowed choices are count, exclude/],
    [['--max-excluded', '0'], /^invalid policy: --max-excluded must be a whole number from 1/],
    [['--window', 'always'], /It must look like/],
    [['--window', 'someday 22:00-04:00 UTC'], /Unknown day "someday"/],
    [['--window', 'mon 22:00-99:00 UTC'], /It must look like/],
    [['--timeout', 'reboot'], /reboot=10m/],
    [['--timeout', 'ready=0'], /^invalid policy: --timeout ready must be/],
    [['--drain-timeout', '0'], /^invalid policy: --drain-timeout must be/],
    [['--stage-parallel', '0'], /It must be at least 1\./],
    [['--timeout', 'reboot=soon'], /It must be a duration such as 90s/],
    [['--drain-timeout', '1.5m'], /It must be a duration such as 90s/],
    [['--check', '[1]'], /It must be a JSON array/],
    [['--policy', '/no/such/file'], /^\/no\/such\/file does not exist\. Use a file with a policy$/],
  ])('rejects %j', async (args, message) => {
    await expect(parsePolicy(args)).rejects.toThrow(message);
  });

  test('reads a policy file with the field names of the API', async () => {
    const file = 'unhealthy: exclude\nmax_excluded: 2\nwait: true\n';
    expect(await parsePolicy(['--policy', '-', '--max-excluded', '50%'], file)).toEqual({
      ...{ unhealthy: 'exclude', max_excluded: '50%', wait: true },
    });
  });

  test.each([
    ['max_unavailabel: 1\n', /^invalid policy: max_unavailabel in stdin is not a known field/],
    ['canary: -1\n', /^invalid policy: canary in stdin must be a whole number/],
    ['- 1\n', /^stdin does not contain a policy, for example: max_unavailable: 25%/],
    ['a: [\n', /^invalid YAML in stdin \(line 2\)/],
  ])('rejects a file with the content %j', async (input, message) => {
    await expect(parsePolicy(['--policy', '-'], input)).rejects.toThrow(message);
  });
});
