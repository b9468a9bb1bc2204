import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Semaphore } from '../../../src/lib/concurrency.ts';
import { readBootId } from '../../../src/server/wiring/start-engine.ts';
import { layersOf } from './layers.ts';
import { LightHost } from './light-host.ts';
import type { LightHostOptions, LightHostPlace } from './light-host-configuration.ts';
import { writeConfiguration } from './light-host-configuration.ts';
import { loginKey } from './login-key.ts';
import { freePort, loopbackAddress } from './loopback-address.ts';
import { runFolder } from './run-folder.ts';

/** More at once only wait for each other: booting is work for the processor. */
const AT_ONCE = 8;

let count = 0;

async function findPlace({
  identity,
  isIpv6 = false,
  port = 2222,
}: LightHostOptions): Promise<LightHostPlace> {
  const [run, layers] = await Promise.all([runFolder(), layersOf(identity)]);
  for (;;) {
    const index = ++count;
    const address = isIpv6 ? '::1' : loopbackAddress(run.number, index);
    const free = await freePort(address, isIpv6 ? 0 : port);
    if (free === undefined) continue;
    const name = `light${index}`;
    return { name, folder: path.join(run.folder, name), layers, address, port: free };
  }
}

/** A host that can be reached, unless it was told to be off. */
export async function startLightHost(options: LightHostOptions): Promise<LightHost> {
  const [place, key] = [await findPlace(options), await loginKey()];
  for (const name of ['upper', 'work', 'root']) mkdirSync(path.join(place.folder, name), { recursive: true });
  const hostKey = await writeConfiguration(place, options, key.publicKey);
  const host = new LightHost(place, hostKey, options.isOwnMachine ? readBootId : undefined);
  if (!options.isOff) await host.powerOn();
  return host;
}

/** Many that are alike. */
export function startLightHosts(number: number, options: LightHostOptions): Promise<LightHost[]> {
  const turns = new Semaphore(AT_ONCE, number);
  return Promise.all(Array.from({ length: number }, () => turns.run(() => startLightHost(options))));
}
