import { addMember, removeMember } from '../../../../src/app/clusters/change-member.ts';
import { memoryScope } from '../../../../src/app/driver-records/memory-scope.ts';
import { acceptHostKey } from '../../../../src/app/hosts/accept-host-key.ts';
import { bootstrapAgain } from '../../../../src/app/hosts/bootstrap-again.ts';
import { setMaintenance } from '../../../../src/app/hosts/maintenance.ts';
import { holdOperations } from '../../../../src/app/operations/hold-operations.ts';
import { startOperation } from '../../../../src/app/operations/start-operation.ts';
import { retryHosts, skipHosts } from '../../../../src/app/operations/steer-hosts.ts';
import {
  cancelOperation,
  pauseOperation,
  resumeOperation,
} from '../../../../src/app/operations/steer-operation.ts';
import { LOCAL_ACTOR } from '../../../../src/domain/accounts/actor.ts';
import type { Address } from '../../../../src/domain/addresses/address.ts';
import { Refusal } from '../../../../src/domain/errors.ts';
import { fingerprintOf } from '../../../../src/domain/hosts/host-key.ts';
import type { Cast } from './cast.ts';
import { addressOf, CLUSTER, MANAGER } from './cast.ts';
import type { Asked, Deed } from './history.ts';
import { isOpen } from './state.ts';

type Named<Each, Do> = Each extends { do: infer Names } ? (Do extends Names ? Each : never) : never;
type DeedOf<Do extends Deed['do']> = Named<Deed, Do>;
type Deeds = { readonly [Do in Deed['do']]: (cast: Cast, deed: DeedOf<Do>) => unknown };

const PEOPLE = 'people';

export async function ask(cast: Cast, { kind, version, wish }: Asked): Promise<void> {
  const { simulation, watcher } = cast;
  const request = { cluster: CLUSTER, kind, version, wish, idempotencyKey: null };
  const answer = await startOperation(simulation.ports, LOCAL_ACTOR, request);
  if (answer instanceof Refusal) return;
  cast.operation = answer.record.id;
  watcher.told.operations.add(cast.operation);
}

/** A refusal of normal life is fine; what was granted counts. */
async function steer(cast: Cast, verb: typeof pauseOperation, granted: (id: string) => void): Promise<void> {
  const id = cast.operation;
  const answer = await verb(cast.simulation.ports, LOCAL_ACTOR, id);
  if (!(answer instanceof Refusal)) granted(id);
}

async function steerHosts(
  cast: Cast,
  verb: typeof retryHosts,
  { hosts }: DeedOf<'retry' | 'skip'>,
): Promise<readonly Address[]> {
  const named = hosts === 'failed' ? undefined : hosts.map(place => addressOf(place));
  const answer = await verb(cast.simulation.ports, LOCAL_ACTOR, { id: cast.operation, hosts: named });
  return answer instanceof Refusal ? [] : (named ?? []);
}

async function cordonAsPeople(cast: Cast, address: Address, mark: string | undefined): Promise<void> {
  const { simulation, watcher, setup } = cast;
  if (!watcher.state.nodes.has(address)) return;
  watcher.told.isCordoning = true;
  if (setup.manager === 'simulated') simulation.manager.node(address).cordonedBy = mark;
  else {
    const scope = memoryScope('container_manager', MANAGER);
    await simulation.store.transaction(async ({ driverMemory }) => {
      const known = await driverMemory.get(scope, address);
      if (known)
        await driverMemory.compareAndSet(scope, address, known, mark ? `cordoned by ${mark}` : 'registered');
    });
  }
  await watcher.look();
  watcher.told.isCordoning = false;
}

/** How each deed is done. */
const DEEDS: Deeds = {
  suffer: ({ simulation }, { host, fault }) => simulation.fleet.host(addressOf(host)).suffer(fault),
  recover: ({ simulation }, { host }) => simulation.fleet.host(addressOf(host)).recover(),
  'late reboot': ({ simulation, watcher }, { host }) => watcher.reboots.sendLate(simulation, addressOf(host)),
  power: ({ simulation }, { host, isOn }) => {
    const machine = simulation.fleet.host(addressOf(host));
    if (isOn) machine.switchOn();
    else machine.switchOff();
  },
  'kill server': cast => cast.awake.at(0)?.control.kill(),
  'start server': cast => (cast.awake.length < cast.setup.servers ? cast.startServer() : undefined),
  'freeze server': cast => cast.awake.at(-1)?.control.freeze(),
  'thaw servers': ({ simulation }) => {
    for (const { control } of simulation.servers) if (control.isFrozen) control.thaw();
  },
  'cut off store': (cast, { transactions }) => cast.awake.at(0)?.control.cutOffStore(transactions),
  join: ({ simulation }, { host }) => addMember(simulation.ports, LOCAL_ACTOR, CLUSTER, addressOf(host)),
  leave: ({ simulation }, { host }) => removeMember(simulation.ports, LOCAL_ACTOR, CLUSTER, addressOf(host)),
  remove: ({ simulation }, { host }) => simulation.remove(addressOf(host)),
  enrol: async ({ simulation }, { host }) => {
    const address = addressOf(host);
    if ((await simulation.host(address)) === undefined) await simulation.enrol(address, { cluster: CLUSTER });
  },
  bootstrap: ({ simulation }, { host }) => bootstrapAgain(simulation.ports, LOCAL_ACTOR, addressOf(host)),
  'accept key': async ({ simulation }, { host }) => {
    const address = addressOf(host);
    const access = await simulation.store.reads.hostAccess.get(address);
    if (access?.offeredHostKey) {
      const fingerprint = fingerprintOf(access.offeredHostKey);
      await acceptHostKey(simulation.ports, LOCAL_ACTOR, { address, fingerprint });
    }
  },
  maintenance: ({ simulation }, { host, isOn: on }) =>
    setMaintenance(simulation.ports, LOCAL_ACTOR, { address: addressOf(host), on, reason: '' }),
  pause: cast => steer(cast, pauseOperation, id => cast.watcher.told.pausedByHand.add(id)),
  resume: cast => steer(cast, resumeOperation, id => cast.watcher.told.pausedByHand.delete(id)),
  cancel: cast => steer(cast, cancelOperation, id => cast.watcher.told.cancelled.add(id)),
  hold: async ({ simulation, watcher }) => {
    watcher.told.isHeld = await holdOperations(simulation.ports, LOCAL_ACTOR, true);
  },
  release: async ({ simulation, watcher }) => {
    // Some may start before the last has been told.
    watcher.told.isHeld = false;
    await holdOperations(simulation.ports, LOCAL_ACTOR, false);
  },
  retry: async (cast, deed) => {
    const { told, state } = cast.watcher;
    // One that came to its end while it was paused is paused no more.
    const isOver = !state.operations.some(one => one.id === cast.operation && isOpen(one));
    if (isOver) told.pausedByHand.delete(cast.operation);
    told.isRetrying = true;
    await steerHosts(cast, retryHosts, deed);
    told.isRetrying = false;
  },
  skip: async (cast, deed) => {
    const { operation, watcher } = cast;
    for (const host of await steerHosts(cast, skipHosts, deed))
      watcher.told.skipped.add(`${operation} ${host}`);
  },
  'ask again': async cast => {
    const before = cast.operation;
    const open = cast.watcher.state.operations.find(({ id, state }) => id === before && isOpen({ state }));
    const { kind, version, wish_json } = cast.watcher.state.operations.find(({ id }) => id === before) ?? {};
    if (open === undefined || kind === undefined || version === undefined) return;
    await ask(cast, { kind, version, wish: JSON.parse(wish_json ?? '{}') });
    if (cast.operation !== before) cast.watcher.violation ??= 'the same request has begun another operation';
  },
  ask: (cast, { asked }) => ask(cast, asked),
  'break manager': ({ simulation, watcher }) => {
    simulation.breakManager(MANAGER);
    watcher.told.managerAwayUntilMs = Number.POSITIVE_INFINITY;
  },
  'mend manager': ({ simulation, watcher }) => {
    simulation.mendManager(MANAGER);
    watcher.told.managerAwayUntilMs = Math.min(watcher.told.managerAwayUntilMs, simulation.clock.now());
  },
  'add pod': ({ simulation, watcher }, { host, pod }) => {
    const address = addressOf(host);
    if (watcher.state.nodes.has(address)) simulation.manager.node(address).pods.add(pod);
  },
  'people cordon': (cast, { host }) => cordonAsPeople(cast, addressOf(host), PEOPLE),
  'people uncordon': (cast, { host }) => cordonAsPeople(cast, addressOf(host), undefined),
};

export async function doDeed(cast: Cast, deed: Deed): Promise<void> {
  // The name of a deed is what picks how it is done.
  const how = DEEDS[deed.do] as (cast: Cast, deed: Deed) => unknown;
  await how(cast, deed);
  await cast.watcher.look();
}
