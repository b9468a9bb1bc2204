// A host that answers as it is told, for tests of the steps of an operation: what each command says is given by its name. Commands that run as
// jobs go by their first word too. One that nobody has given an answer for breaks the test.

import type { Address } from '../../domain/addresses/address.ts';
import type { Argv, Ran } from '../../domain/command.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { newHost } from '../../domain/hosts/host.ts';
import { recordNameOf } from '../../domain/record-name.ts';
import type { Policy, PolicyWish } from '../../domain/rolling/policy.ts';
import { resolvePolicy } from '../../domain/rolling/policy.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { OperationWork, StepResult, WorkOf } from '../../domain/work/work.ts';
import { NOT_BEGUN } from '../../domain/work/work.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import { askedBy, LOOK_BEGIN } from '../jobs/look-script.ts';
import { startedBy } from '../jobs/start-script.ts';
import { lookedAtBy } from '../reboot/look-at-reboot.ts';
import { ANSWER_BEGIN } from '../reboot/mark.ts';
import { sentBy } from '../reboot/send-reboot.ts';
import { takenBy } from '../reboot/take-mark.ts';
import { isRunCheck } from '../run-folder.ts';
import { ERROR_MARKER } from '../script-error.ts';
import type { RunOptions, StepContext } from '../step.ts';
import { labSystems } from './lab-systems.ts';

export const HOST = '127.0.0.1' as Address;
/** Before the reboot, and after it. */
export const [BOOT, NEXT_BOOT] = [
  '2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11',
  'c81d4e2e-bcf2-41e6-a1b2-7d9f8e6c5b4a',
];

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

function operationWork(operationKind: OperationKind, wish: PolicyWish) {
  const policy: Policy | readonly unknown[] = resolvePolicy(operationKind, {
    wish,
    defaults: {},
    hasManager: true,
  });
  if (!('timeouts' in policy)) throw new Error('this is no policy');
  return {
    ...{ host: HOST, enrolment: 'e', operation: 'op', operationKind, attempt: 2, policy },
    cluster: recordNameOf('c'),
    version: operationKind === 'deploy' ? '44' : '',
  };
}

export const workToStage = (kind: OperationKind, wish: PolicyWish = {}): WorkOf<'stage'> => ({
  kind: 'stage',
  ...operationWork(kind, wish),
});

export const workToRoll = (
  kind: OperationKind,
  wish: PolicyWish = {},
  prepared: StepResult = {},
): WorkOf<'rollout'> => ({ kind: 'rollout', prepared, ...operationWork(kind, wish) });

/** What the host says of a reboot. */
export const looks = (marker: string, bootId = BOOT, code = '-', output = ''): string =>
  `${ANSWER_BEGIN} ${bootId} 100 ${marker} ${code}\n${output}`;

/** What it says when a reboot is sent, or its marker taken. */
export const word = (answer: string): string => `${ANSWER_BEGIN} ${answer}\n`;

/** What a script says that cannot do something on the host. */
export const scriptError = (action: string, output: string): string =>
  `${ERROR_MARKER} ${action} ${output}\n`;

export const GONE = new TransportFailure('unreachable', 'no route');
export const STRANGER = new TransportFailure('host_key_changed', 'another key', 'ssh-ed25519 AAAA');

/** What a command says; with a number, how it ends. */
type Answer = string | readonly [exitCode: number, stderr: string] | TransportFailure;

const ranWith = (answer: Exclude<Answer, TransportFailure>): Ran =>
  typeof answer === 'string'
    ? { exitCode: 0, stdout: Buffer.from(answer), stderr: Buffer.from('') }
    : { exitCode: answer[0], stdout: Buffer.from(''), stderr: Buffer.from(answer[1]) };

function nameOf(argv: Argv): string {
  if (lookedAtBy(argv) !== undefined) return 'look';
  if (sentBy(argv) !== undefined) return 'send';
  if (isRunCheck(argv)) return 'check-run';
  return takenBy(argv) === undefined ? argv[0] : 'take';
}

/** How it is to be asked, and what was run on it: as root after `#`, jobs by their commands. */
function linkTo(answers: Readonly<Record<string, Answer>>) {
  const ran: string[] = [];
  let job: Ran = ranWith('');
  const answerTo = (argv: Argv): Ran | TransportFailure => {
    const answer = answers[nameOf(argv)];
    if (answer === undefined) throw new Error(`nobody has said what ${nameOf(argv)} answers`);
    return answer instanceof TransportFailure ? answer : ranWith(answer);
  };
  const run = async (argv: Argv, { asRoot = false }: RunOptions): Promise<Ran | TransportFailure> => {
    if (askedBy(argv)) {
      const said = text(job.stdout) + text(job.stderr);
      return ranWith(`${LOOK_BEGIN} ended ${job.exitCode} ${said.length} 0\n${said}`);
    }
    const started = startedBy(argv);
    const { by } = sentBy(argv) ?? {};
    const command = started?.argv.join(' ') ?? [nameOf(argv), ...(by ?? [])].join(' ');
    ran.push(`${asRoot ? '#' : '$'} ${command}`);
    const answer = answerTo(started?.argv ?? argv);
    if (started === undefined || answer instanceof TransportFailure) return answer;
    job = answer;
    return ranWith('');
  };
  const link: StepContext['link'] = {
    hostKey: async () => 'ssh-ed25519 AAAA',
    run,
    ask: async ({ argv, read }, options) => {
      const answer = await run(argv, options);
      return answer instanceof TransportFailure ? answer : read(answer);
    },
  };
  return { link, ran };
}

interface LabOptions {
  readonly host?: Partial<Host>;
  readonly progress?: Partial<StepContext['progress']>;
  readonly unwanted?: StepContext['unwanted'];
  readonly nowMs?: number;
  readonly serverBootIds?: readonly string[];
  /** null: the cluster has none. What it is not given it cannot do. */
  readonly manager?: Partial<ContainerManager> | null;
}

const away = async (): Promise<never> => {
  throw new Error('it is away');
};
const AWAY: ContainerManager = {
  ...{ register: away, remove: away, report: away, cordon: away, uncordon: away, drain: away },
  ...{ disruptionProblem: away, controlPlane: away, check: away, joinTask: away, leaveTask: away },
};

/** What a step is given to see of such a host. */
export function labOf<W extends OperationWork>(
  work: W,
  answers: Readonly<Record<string, Answer>>,
  { host, progress, unwanted = null, nowMs = 0, serverBootIds = [], manager = null }: LabOptions = {},
) {
  const { link, ran } = linkTo(answers);
  const heard: string[] = [];
  const record = { name: recordNameOf('m'), type: 'any', options: {}, sealedOptions: {}, revision: 'r' };
  const context: StepContext<W> = {
    ...{ work, link, os: labSystems, nowMs, unwanted, isPinned: true, jobsName: 'jobs' },
    host: {
      ...newHost(HOST, { enrolment: 'e', cluster: recordNameOf('c') }),
      ...{ status: 'active', os: 'toyos', osDriver: 'packages', registeredWith: record.name },
      ...host,
    },
    progress: { ...NOT_BEGUN, ...progress },
    clock: { monotonicMs: () => 0 },
    hear: bytes => void heard.push(text(bytes)),
    jobEnded: () => {},
    mayReboot: async () => true,
    serverBootIds: async () => serverBootIds,
    networkRecord: async () => null,
    openNetwork: away,
    managerRecord: async () => (manager === null ? null : record),
    openManager: async () => ({ ...AWAY, ...manager }),
  };
  return { context, ran, heard };
}
