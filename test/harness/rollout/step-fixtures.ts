// Commands of the simulated OS drivers are single words with JSON output. A command without a reply fails the test.

import type { Address } from '../../../src/domain/addresses/address.ts';
import type { Argv, CommandResult, HostQuery } from '../../../src/domain/command.ts';
import { AppError } from '../../../src/domain/errors.ts';
import type { Host } from '../../../src/domain/hosts/host.ts';
import { newHost } from '../../../src/domain/hosts/host.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { PolicyInput } from '../../../src/domain/rollout/policy.ts';
import { resolvePolicy } from '../../../src/domain/rollout/policy.ts';
import type { OperationTask, StepResult, TaskOf } from '../../../src/domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../../src/domain/tasks/task.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import type { OperationKind } from '../../../src/domain/vocabulary.ts';
import type { ContainerManager } from '../../../src/drivers/container-manager/container-manager.ts';
import type { OsDriver, OsRegistry } from '../../../src/drivers/os/os-driver.ts';
import { POLL_PREFIX, parsePollArgv } from '../../../src/procedures/jobs/poll-script.ts';
import { parseStartArgv } from '../../../src/procedures/jobs/start-script.ts';
import { REPLY_PREFIX } from '../../../src/procedures/reboot/reboot-guard.ts';
import { parseBlockArgv, parseProbeArgv, parseRebootArgv } from '../../../src/procedures/reboot/reboot-scripts.ts';
import { isRunFolderQuery } from '../../../src/procedures/run-folder.ts';
import { ERROR_MARKER } from '../../../src/procedures/script-error.ts';
import type { RunOptions, StepContext } from '../../../src/procedures/step.ts';

const query = <T>(name: string): HostQuery<T> => ({
  argv: [name],
  parse: ({ exitCode, stdout }) =>
    exitCode === 0 && stdout.length > 0 ? JSON.parse(Buffer.from(stdout).toString()) : undefined,
});

const packageDriver: OsDriver = {
  type: 'packages',
  summary: '',
  osNames: ['toyos'],
  requiredTools: [],
  matchOs: () => undefined,
  install: () => [],
  upgrade: { stage: [['fetch'], ['check']], hasUpdates: query('pending'), apply: [['upgrade']] },
  rebootRequired: query('reboot-required'),
};

const imageDriver: OsDriver = {
  ...packageDriver,
  type: 'images',
  image: {
    stage: target => (target.startsWith('bad') ? undefined : [['pull', target]]),
    matchesTarget: (target, { version }) => target === version,
    finalize: () => ({ commands: [['unlock']], reboots: false }),
    lock: [['lock']],
    deployments: query('deployments'),
  },
};

const selfRebootingDriver: OsDriver = {
  ...imageDriver,
  type: 'self-rebooting',
  image: {
    stage: target => [['pull', target]],
    matchesTarget: () => false,
    finalize: ({ checksum }) => ({ commands: [['unlock'], ['finish', checksum]], reboots: true }),
    lock: [['lock']],
    deployments: query('deployments'),
  },
};

const fixtureSystems: OsRegistry = {
  drivers: [packageDriver, imageDriver, selfRebootingDriver],
  osNames: ['toyos'],
  facts: query('facts'),
  liveness: query('liveness'),
  readiness: query('readiness'),
};

export const HOST = '127.0.0.1' as Address;
export const [BOOT, NEXT_BOOT] = ['2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11', 'c81d4e2e-bcf2-41e6-a1b2-7d9f8e6c5b4a'];

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

function operationTask(operationKind: OperationKind, input: PolicyInput) {
  const policy = resolvePolicy(operationKind, { input, defaults: {}, hasManager: true });
  if (policy instanceof AppError) throw new Error('the policy is invalid');
  return {
    host: HOST,
    enrolment: 'e',
    operation: 'op',
    operationKind,
    attempt: 2,
    policy,
    cluster: toRecordName('c'),
    version: operationKind === 'deploy' ? '44' : '',
  };
}

export const stageTask = (kind: OperationKind, input: PolicyInput = {}): TaskOf<'stage'> => ({
  kind: 'stage',
  ...operationTask(kind, input),
});

export const rolloutTask = (
  kind: OperationKind,
  input: PolicyInput = {},
  stageResult: StepResult = {},
): TaskOf<'rollout'> => ({ kind: 'rollout', stageResult, ...operationTask(kind, input) });

export const probeReply = (marker: string, bootId = BOOT, code = '-', output = ''): string =>
  `${REPLY_PREFIX} ${bootId} 100 ${marker} ${code}\n${output}`;

export const reply = (text: string): string => `${REPLY_PREFIX} ${text}\n`;

export const scriptError = (action: string, output: string): string => `${ERROR_MARKER} ${action} ${output}\n`;

export const UNREACHABLE = new TransportFailure('unreachable', 'no route');
export const KEY_CHANGED = new TransportFailure('host_key_changed', 'another key', 'ssh-ed25519 AAAA');

/** Standard output with exit code 0, or exit code and standard error. */
type FixtureReply = string | readonly [exitCode: number, stderr: string] | TransportFailure;

const toResult = (response: Exclude<FixtureReply, TransportFailure>): CommandResult =>
  typeof response === 'string'
    ? { exitCode: 0, stdout: Buffer.from(response), stderr: Buffer.from('') }
    : { exitCode: response[0], stdout: Buffer.from(''), stderr: Buffer.from(response[1]) };

function commandName(argv: Argv): string {
  if (parseProbeArgv(argv) !== undefined) return 'probe';
  if (parseRebootArgv(argv) !== undefined) return 'send';
  if (isRunFolderQuery(argv)) return 'check-run';
  return parseBlockArgv(argv) === undefined ? argv[0] : 'block';
}

/** Records the commands, with `#` for root and `$` for the login user. */
function connectionFixture(replies: Readonly<Record<string, FixtureReply>>) {
  const commands: string[] = [];
  let job: CommandResult = toResult('');
  const replyTo = (argv: Argv): CommandResult | TransportFailure => {
    const name = commandName(argv);
    const reply = replies[name];
    if (reply === undefined) {
      const before = commands.slice(0, -1).join(', ') || 'none';
      throw new Error(
        `the step sent the command "${name}", which this case does not expect; commands so far: ${before}`,
      );
    }
    return reply instanceof TransportFailure ? reply : toResult(reply);
  };
  const run = async (argv: Argv, { asRoot = false }: RunOptions): Promise<CommandResult | TransportFailure> => {
    if (parsePollArgv(argv)) {
      const output = text(job.stdout) + text(job.stderr);
      return toResult(`${POLL_PREFIX} ended ${job.exitCode} ${output.length} 0\n${output}`);
    }
    const started = parseStartArgv(argv);
    const { customRebootArgv } = parseRebootArgv(argv) ?? {};
    const command = started?.argv.join(' ') ?? [commandName(argv), ...(customRebootArgv ?? [])].join(' ');
    commands.push(`${asRoot ? '#' : '$'} ${command}`);
    const reply = replyTo(started?.argv ?? argv);
    if (started === undefined || reply instanceof TransportFailure) return reply;
    job = reply;
    return toResult('');
  };
  const connection: StepContext['connection'] = {
    hostKey: async () => 'ssh-ed25519 AAAA',
    run,
    query: async ({ argv, parse }, options) => {
      const reply = await run(argv, options);
      return reply instanceof TransportFailure ? reply : parse(reply);
    },
  };
  return { connection, commands };
}

interface FixtureOptions {
  readonly host?: Partial<Host>;
  readonly state?: Partial<StepContext['state']>;
  readonly abortReason?: StepContext['abortReason'];
  readonly nowMs?: number;
  readonly serverBootIds?: readonly string[];
  /** Whether the budget allows the reboot. */
  readonly mayReboot?: boolean;
  /** `null`: the cluster has no container manager. Methods that are not given throw. */
  readonly manager?: Partial<ContainerManager> | null;
}

const unavailable = async (): Promise<never> => {
  throw new Error('connection refused');
};
const UNAVAILABLE_MANAGER: ContainerManager = {
  register: unavailable,
  remove: unavailable,
  report: unavailable,
  cordon: unavailable,
  uncordon: unavailable,
  drain: unavailable,
  checkDisruption: unavailable,
  controlPlane: unavailable,
  checkConnection: unavailable,
  joinPlan: unavailable,
  leavePlan: unavailable,
};

export function stepFixture<W extends OperationTask>(
  task: W,
  replies: Readonly<Record<string, FixtureReply>>,
  {
    host,
    state,
    abortReason = null,
    nowMs = 0,
    serverBootIds = [],
    mayReboot = true,
    manager = null,
  }: FixtureOptions = {},
) {
  const { connection, commands } = connectionFixture(replies);
  const output: string[] = [];
  const record = { name: toRecordName('m'), type: 'any', options: {}, sealedOptions: {}, revision: 'r' };
  const context: StepContext<W> = {
    task,
    connection,
    os: fixtureSystems,
    nowMs,
    abortReason,
    hasPinnedHostKeys: true,
    jobPrefix: 'jobs',
    host: {
      ...newHost(HOST, { enrolment: 'e', cluster: toRecordName('c') }),
      status: 'active',
      os: 'toyos',
      osDriver: 'packages',
      registeredWith: record.name,
      ...host,
    },
    state: { ...INITIAL_TASK_STATE, ...state },
    clock: { monotonicMs: () => 0 },
    onOutput: bytes => void output.push(text(bytes)),
    onJobEnd: () => {},
    mayReboot: async () => mayReboot,
    serverBootIds: async () => serverBootIds,
    networkRecord: async () => null,
    openNetwork: unavailable,
    managerRecord: async () => (manager === null ? null : record),
    openManager: async () => ({ ...UNAVAILABLE_MANAGER, ...manager }),
  };
  return { context, commands, output };
}
