import type { App } from '../../app/index.ts';
import type { OperationRequest } from '../../app/operations/start-operation.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import type { SimulatedFleet } from '../../simulator/simulated-fleet.ts';
import { FIRST_RING } from './demo-fleet.ts';

interface ScenarioContext {
  readonly fleet: SimulatedFleet;
  readonly app: App;
}

interface ScenarioStep {
  readonly atS: number;
  readonly description: string;
  run(context: ScenarioContext): unknown;
}

const findHost = ({ fleet }: ScenarioContext, address: string) => fleet.host(address as Address);

/** Of the three hosts that can be unavailable, 127.81.0.9 already is: it has failed. */
const UPGRADE: OperationRequest = {
  cluster: toRecordName('web'),
  kind: 'upgrade',
  version: '',
  idempotencyKey: null,
  policyInput: { labels: [FIRST_RING.label], maxUnavailable: 3, canary: 1, maxFailures: 1, minHealthyS: 3 },
};

const SCENARIO_STEPS: readonly ScenarioStep[] = [
  {
    atS: 10,
    description: `an upgrade of web starts on the hosts with the label ${FIRST_RING.label}`,
    run: ({ app }) => app.operations.start(LOCAL_ACTOR, UPGRADE),
  },
  {
    atS: 30,
    description: '127.81.0.7 loses power',
    run: context => findHost(context, '127.81.0.7').powerOff(),
  },
  {
    atS: 45,
    description: '127.82.0.3 reboots unexpectedly',
    run: context => findHost(context, '127.82.0.3').power.reboot(),
  },
  {
    atS: 75,
    description: '127.81.0.7 has power again',
    run: context => findHost(context, '127.81.0.7').powerOn(),
  },
  {
    atS: 90,
    description: '127.83.0.5 presents a different host key',
    run: context => findHost(context, '127.83.0.5').addFault({ kind: 'key_changed' }),
  },
];

/** Returns the line to print. A step can fail if the user has started another operation first. */
async function runStep({ description, run }: ScenarioStep, context: ScenarioContext): Promise<string> {
  try {
    const result = await run(context);
    return result instanceof AppError ? `${description}: failed, ${result.detail}` : description;
  } catch (error) {
    return `${description}: failed, ${String(error)}`;
  }
}

export function runScenario(
  context: ScenarioContext,
  clock: TimerClock,
  print: (description: string) => void,
): () => void {
  const cancels = SCENARIO_STEPS.map(step =>
    clock.setTimer(step.atS * 1000, () => void runStep(step, context).then(print)),
  );
  return () => {
    for (const cancel of cancels) cancel();
  };
}
