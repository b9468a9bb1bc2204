import type { Address } from '../../domain/address.ts';
import type { SimulatedFleet } from '../../drivers/transport/sim/simulated-fleet.ts';
import type { AlarmClock } from '../../lib/clock.ts';

interface Scene {
  readonly atS: number;
  readonly what: string;
  act(fleet: SimulatedFleet): void;
}

const host = (fleet: SimulatedFleet, address: string) => fleet.host(address as Address);

/** What happens while people look on. */
const SCENES: readonly Scene[] = [
  { atS: 30, what: '127.81.0.7 loses power', act: fleet => host(fleet, '127.81.0.7').switchOff() },
  { atS: 45, what: '127.82.0.3 reboots by itself', act: fleet => host(fleet, '127.82.0.3').machine.reboot() },
  { atS: 75, what: '127.81.0.7 has power again', act: fleet => host(fleet, '127.81.0.7').switchOn() },
  {
    atS: 90,
    what: '127.83.0.5 shows another host key than it did',
    act: fleet => host(fleet, '127.83.0.5').suffer({ kind: 'key_changed' }),
  },
];

/** Plays the story once; answers what calls the rest of it off. */
export function playStory(
  fleet: SimulatedFleet,
  clock: AlarmClock,
  tell: (what: string) => void,
): () => void {
  const cancels = SCENES.map(({ atS, what, act }) =>
    clock.after(atS * 1000, () => {
      act(fleet);
      tell(what);
    }),
  );
  return () => {
    for (const cancel of cancels) cancel();
  };
}
