import type { Fault } from '../../../../src/simulator/faults.ts';
import { Random } from '../../../harness/random.ts';
import { generateIncident } from './generate-incident.ts';
import { generatePod, generateRequest, generateSetup } from './generate-setup.ts';
import type { Action, Event, History, HostIndex, HostSelection, Setup } from './history.ts';

/** Time of the last independent action, in most histories and in long ones. */
const [USUAL_MS, LONG_MS] = [200_000, 900_000];

/** Commands that a fault affects: all, package tools, the reboot command, commands that read the boot ID. */
const TARGETS = [{}, { on: /apt-get|dnf|rpm-ostree/ }, { on: /check_deadline/ }, { on: /boot_id/ }];

function generateFault(random: Random): Fault {
  const target = random.pick(TARGETS);
  const times = random.between(1, 3);
  return random.pickBy<Fault>([
    [4, { kind: 'unreachable' }],
    [1, { kind: 'unreachable', times }],
    [2, { kind: 'slow', commandMs: random.between(500, 12_000), ...target }],
    [1, { kind: 'slow', connectMs: random.between(500, 12_000) }],
    [1, { kind: 'auth_rejected', times }],
    [1, { kind: 'no_shell', times, ...target }],
    [0.3, { kind: 'key_changed' }],
    [2, { kind: 'frozen', ...target }],
    [1, { kind: 'frozen', at: 'connect' }],
    [3, { kind: 'exit', exitCode: random.pick([1, 100, 255]), times, ...target }],
    [1, { kind: 'exit', exitCode: 1, tookEffect: true, times, ...target }],
    // The check command of the policy.
    [4, { kind: 'exit', exitCode: 1, on: /^true$/ }],
    [3, { kind: 'cut', tookEffect: random.isOneIn(2), times, ...target }],
    [2, { kind: 'reboot_late', byMs: random.between(1000, 90_000) }],
    [2, { kind: 'reboot_twice', afterMs: random.between(0, 30_000) }],
    [1, { kind: 'reboot_loop', everyMs: random.between(2000, 60_000) }],
    [2, { kind: 'reboot_never', times }],
    [2, { kind: 'rolled_back', times }],
    [1, { kind: 'disk_full' }],
    [1, { kind: 'run_unwritable' }],
  ]);
}

const indexes = (random: Random, count: number): readonly HostIndex[] => [
  ...new Set(Array.from({ length: random.between(1, 2) }, () => random.between(0, count - 1))),
];

function generateAction(random: Random, setup: Setup): Action {
  const members = setup.members.length;
  const all = members + setup.others.length;
  const host = random.between(0, members - 1);
  const any = random.between(0, all - 1);
  const hosts = random.pickBy<HostSelection>([
    [3, 'failed'],
    [1, 'first failed'],
    [2, indexes(random, members)],
  ]);
  const ofManager = setup.manager === 'none' ? 0 : 1;
  const ofNodes = setup.manager === 'simulated' ? 1 : 0;
  return random.pickBy<Action>([
    [12, { type: 'add fault', host, fault: generateFault(random) }],
    [6, { type: 'clear faults', host }],
    [4, { type: 'replay reboot', host }],
    [1, { type: 'power', host, isOn: false }],
    [1, { type: 'power', host, isOn: true }],
    [2, { type: 'inject', fault: 'kill_server' }],
    [3, { type: 'revert', fault: 'kill_server' }],
    [1.5, { type: 'inject', fault: 'freeze_server' }],
    [1.5, { type: 'revert', fault: 'freeze_server' }],
    [1, { type: 'inject', fault: 'cut_hosts' }],
    [1.5, { type: 'revert', fault: 'cut_hosts' }],
    [0.5, { type: 'inject', fault: 'cut_store', times: random.between(1, 8) }],
    [1.5, { type: 'join', host: any }],
    [1, { type: 'leave', host: random.isOneIn(3) ? 'first failed' : any }],
    [1, { type: 'remove', host: any }],
    [1, { type: 'enrol', host: any }],
    [0.5, { type: 'bootstrap', host: any }],
    [0.3, { type: 'accept key', host: any }],
    [1, { type: 'maintenance', host, isOn: true }],
    [1, { type: 'maintenance', host, isOn: false }],
    [1.5, { type: 'pause' }],
    [3, { type: 'resume' }],
    [1.5, { type: 'cancel' }],
    [0.5, { type: 'pause all' }],
    [0.7, { type: 'resume all' }],
    [5, { type: 'retry', hosts }],
    [1.5, { type: 'retry', hosts: 'failed', exclude: indexes(random, members) }],
    [3, { type: 'skip', hosts }],
    [1, { type: 'repeat request' }],
    [2, { type: 'request', request: generateRequest(random) }],
    [ofManager, { type: 'inject', fault: 'fail_manager' }],
    [1.5 * ofManager, { type: 'revert', fault: 'fail_manager' }],
    [ofNodes, { type: 'add pod', host, pod: generatePod(random) }],
    [ofManager, { type: 'admin cordon', host }],
    [ofManager, { type: 'admin uncordon', host }],
  ]);
}

const REVERSED_BY: { readonly [Type in Action['type']]?: Action['type'] } = {
  'add fault': 'clear faults',
  pause: 'resume',
  'pause all': 'resume all',
};

function reverse(action: Action): Action | undefined {
  if (action.type === 'power' || action.type === 'maintenance') return { ...action, isOn: !action.isOn };
  // `cut_store` ends by itself.
  if (action.type === 'inject')
    return action.fault === 'cut_store' ? undefined : { type: 'revert', fault: action.fault };
  const type = REVERSED_BY[action.type];
  return type && ({ ...action, type } as Action);
}

function generateEvents(random: Random, setup: Setup): readonly Event[] {
  const count = random.pick([0, 4, 8, 12, 18]);
  const lastMs = random.isOneIn(6) ? LONG_MS : USUAL_MS;
  const events: Event[] = random
    .some(setup.members.length, random.pick([0, 0, 0.2, 0.5]))
    .map(host => ({ atMs: 0, action: { type: 'add fault', host, fault: generateFault(random) } }));
  while (events.length < count) {
    const atMs = Math.floor(random.next() ** 1.3 * lastMs);
    const action = generateAction(random, setup);
    events.push({ atMs, action });
    const end = random.isOneIn(2) ? reverse(action) : undefined;
    if (end) events.push({ atMs: atMs + random.between(1000, 60_000), action: end });
  }
  const incidents = random.pick([0, 0, 1, 1, 2]);
  for (let index = 0; index < incidents; index += 1) events.push(...generateIncident(random, setup));
  return events.toSorted((one, other) => one.atMs - other.atMs);
}

export function generateHistory(seed: number): History {
  const random = new Random(seed);
  const setup = generateSetup(random);
  return { seed, setup, events: generateEvents(random, setup) };
}
