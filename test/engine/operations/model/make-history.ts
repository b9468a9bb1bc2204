import type { Fault } from '../../../../src/drivers/transport/sim/faults.ts';
import type { Deed, Event, History, HostPlace, Setup } from './history.ts';
import { makeAsked, makePod, makeSetup } from './make-setup.ts';
import { Random } from './random.ts';

/** Nothing happens later than this, but what follows. */
const LAST_EVENT_MS = 200_000;

/** What faults of commands are aimed at: anything, what installs, what reboots, what looks at a reboot. */
const AIMS = [{}, { on: /apt-get|dnf|rpm-ostree/ }, { on: /check_deadline/ }, { on: /boot_id/ }];

function makeFault(random: Random): Fault {
  const aim = random.pick(AIMS);
  const times = random.between(1, 3);
  return random.pickBy<Fault>([
    [4, { kind: 'unreachable' }],
    [1, { kind: 'unreachable', times }],
    [2, { kind: 'slow', commandMs: random.between(500, 12_000), ...aim }],
    [1, { kind: 'slow', connectMs: random.between(500, 12_000) }],
    [1, { kind: 'auth_rejected', times }],
    [1, { kind: 'no_shell', times, ...aim }],
    [0.3, { kind: 'key_changed' }],
    [2, { kind: 'frozen', ...aim }],
    [1, { kind: 'frozen', at: 'connect' }],
    [3, { kind: 'exit', exitCode: random.pick([1, 100, 255]), times, ...aim }],
    [1, { kind: 'exit', exitCode: 1, tookEffect: true, times, ...aim }],
    // The check of the policy, and with it the proof.
    [4, { kind: 'exit', exitCode: 1, on: /^true$/ }],
    [3, { kind: 'cut', tookEffect: random.isOnce(2), times, ...aim }],
    [2, { kind: 'reboot_late', byMs: random.between(1000, 90_000) }],
    [2, { kind: 'reboot_twice', afterMs: random.between(0, 30_000) }],
    [2, { kind: 'reboot_never', times }],
    [2, { kind: 'rolled_back', times }],
    [1, { kind: 'disk_full' }],
  ]);
}

const places = (random: Random, count: number): readonly HostPlace[] => [
  ...new Set(Array.from({ length: random.between(1, 2) }, () => random.between(0, count - 1))),
];

function makeDeed(random: Random, setup: Setup): Deed {
  const members = setup.members.length;
  const all = members + setup.others.length;
  const host = random.between(0, members - 1);
  const any = random.between(0, all - 1);
  const hosts = random.isOnce(2) ? 'failed' : places(random, members);
  const ofManager = setup.manager === 'none' ? 0 : 1;
  const ofNodes = setup.manager === 'simulated' ? 1 : 0;
  return random.pickBy<Deed>([
    [12, { do: 'suffer', host, fault: makeFault(random) }],
    [6, { do: 'recover', host }],
    [4, { do: 'late reboot', host }],
    [1, { do: 'power', host, isOn: false }],
    [1, { do: 'power', host, isOn: true }],
    [2, { do: 'kill server' }],
    [3, { do: 'start server' }],
    [1.5, { do: 'freeze server' }],
    [1.5, { do: 'thaw servers' }],
    [0.5, { do: 'cut off store', transactions: random.between(1, 8) }],
    [1.5, { do: 'join', host: any }],
    [1, { do: 'leave', host: any }],
    [1, { do: 'remove', host: any }],
    [1, { do: 'enrol', host: any }],
    [0.5, { do: 'bootstrap', host: any }],
    [0.3, { do: 'accept key', host: any }],
    [1, { do: 'maintenance', host, isOn: true }],
    [1, { do: 'maintenance', host, isOn: false }],
    [1.5, { do: 'pause' }],
    [3, { do: 'resume' }],
    [1.5, { do: 'cancel' }],
    [0.5, { do: 'hold' }],
    [0.7, { do: 'release' }],
    [5, { do: 'retry', hosts }],
    [3, { do: 'skip', hosts }],
    [1, { do: 'ask again' }],
    [2, { do: 'ask', asked: makeAsked(random) }],
    [ofManager, { do: 'break manager' }],
    [1.5 * ofManager, { do: 'mend manager' }],
    [ofNodes, { do: 'add pod', host, pod: makePod(random) }],
    [ofManager, { do: 'people cordon', host }],
    [ofManager, { do: 'people uncordon', host }],
  ]);
}

/** What most often comes after a deed: nobody leaves things as they are for ever. */
const ENDS: { readonly [Do in Deed['do']]?: Deed['do'] } = {
  suffer: 'recover',
  'kill server': 'start server',
  'freeze server': 'thaw servers',
  pause: 'resume',
  hold: 'release',
  'break manager': 'mend manager',
};

function endOf(deed: Deed): Deed | undefined {
  if (deed.do === 'power' || deed.do === 'maintenance') return { ...deed, isOn: !deed.isOn };
  const end = ENDS[deed.do];
  return end && ({ ...deed, do: end } as Deed);
}

function makeEvents(random: Random, setup: Setup): readonly Event[] {
  const count = random.pick([0, 4, 8, 12, 18]);
  const events: Event[] = random
    .some(setup.members.length, random.pick([0, 0.2, 0.5]))
    .map(host => ({ atMs: 0, deed: { do: 'suffer', host, fault: makeFault(random) } }));
  while (events.length < count) {
    const atMs = Math.floor(random.next() ** 1.3 * LAST_EVENT_MS);
    const deed = makeDeed(random, setup);
    events.push({ atMs, deed });
    const end = random.isOnce(2) ? endOf(deed) : undefined;
    if (end) events.push({ atMs: atMs + random.between(1000, 60_000), deed: end });
  }
  return events.toSorted((one, other) => one.atMs - other.atMs);
}

export function makeHistory(seed: number): History {
  const random = new Random(seed);
  const setup = makeSetup(random);
  return { seed, setup, events: makeEvents(random, setup) };
}
