import { bridgeOf, runFolder } from './run-folder.ts';
import { runTool } from './run-tool.ts';

export interface Bridge {
  readonly name: string;
  /** Of this machine on it. */
  readonly address: string;
  addressOf(index: number): string;
}

async function make(): Promise<Bridge> {
  const { number } = await runFolder();
  const name = bridgeOf(number);
  const addressOf = (index: number) => `10.213.${number}.${index + 1}`;
  await runTool(['ip', 'link', 'add', name, 'type', 'bridge']);
  await runTool(['ip', 'address', 'add', `${addressOf(0)}/24`, 'dev', name]);
  await runTool(['ip', 'link', 'set', name, 'up']);
  return { name, address: addressOf(0), addressOf };
}

let made: Promise<Bridge> | undefined;

/** A network of this run's own. Nothing is forwarded: who is on it reaches this machine and each other. */
export function runBridge(): Promise<Bridge> {
  made ??= make();
  return made;
}
