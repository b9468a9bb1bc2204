import type { App } from '../../app/index.ts';
import type { OperationRequest } from '../../app/operations/start-operation.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import type { SimulatedFleet } from '../../simulator/simulated-fleet.ts';
import { FIRST_RING } from './cast.ts';

/** What the story plays with. */
interface Stage {
  readonly fleet: SimulatedFleet;
  readonly app: App;
}

interface Scene {
  readonly atS: number;
  readonly what: string;
  act(stage: Stage): unknown;
}

const host = ({ fleet }: Stage, address: string) => fleet.host(address as Address);

/** Of the three that may be out of service at once, one is: 127.81.0.9 has failed. */
const UPGRADE: OperationRequest = {
  ...{ cluster: toRecordName('web'), kind: 'upgrade', version: '', idempotencyKey: null },
  wish: { labels: [FIRST_RING.label], maxUnavailable: 3, canary: 1, maxFailures: 1, minHealthyS: 3 },
};

/** What happens while people look on. */
const SCENES: readonly Scene[] = [
  {
    atS: 10,
    what: `an upgrade of web starts on the hosts with the label ${FIRST_RING.label}`,
    act: ({ app }) => app.operations.start(LOCAL_ACTOR, UPGRADE),
  },
  { atS: 30, what: '127.81.0.7 loses power', act: stage => host(stage, '127.81.0.7').powerOff() },
  {
    atS: 45,
    what: '127.82.0.3 reboots unexpectedly',
    act: stage => host(stage, '127.82.0.3').machine.reboot(),
  },
  { atS: 75, what: '127.81.0.7 has power again', act: stage => host(stage, '127.81.0.7').powerOn() },
  {
    atS: 90,
    what: '127.83.0.5 presents a different host key',
    act: stage => host(stage, '127.83.0.5').addFault({ kind: 'key_changed' }),
  },
];

/** Plays a scene; answers what is to be told of it. People may have been faster, with another operation. */
async function play({ what, act }: Scene, stage: Stage): Promise<string> {
  try {
    const came = await act(stage);
    return came instanceof AppError ? `${what}: failed, ${came.detail}` : what;
  } catch (error) {
    return `${what}: failed, ${String(error)}`;
  }
}

/** Plays the story once; answers what calls the rest of it off. */
export function playStory(stage: Stage, clock: AlarmClock, tell: (what: string) => void): () => void {
  const cancels = SCENES.map(scene =>
    clock.after(scene.atS * 1000, () => void play(scene, stage).then(tell)),
  );
  return () => {
    for (const cancel of cancels) cancel();
  };
}
