// The service where hosts on the bridge reach it. It can go away, and come back at the same place with the same records.

import { randomBytes } from 'node:crypto';
import { runBridge } from '../harness/hosts/bridge.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { makeStorePlace } from '../harness/stores/stores.ts';

export interface ServiceOnBridge {
  readonly url: string;
  /** While it is there. */
  readonly service: TestService;
  comeBack(): Promise<void>;
  goAway(): Promise<void>;
  end(): Promise<void>;
}

export async function serveOnBridge(settings: Readonly<Record<string, string>>): Promise<ServiceOnBridge> {
  const [{ address }, { folder, remove }] = [await runBridge(), await makeStorePlace('sqlite')];
  const kept = {
    ...settings,
    HOSTLER_ALLOW_PLAIN_HTTP: 'true',
    HOSTLER_DATA: folder,
    HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const start = (listen: string) => startTestService('sqlite', { ...kept, HOSTLER_LISTEN: listen });
  let service: TestService | undefined = await start(`${address}:0`);
  const { url } = service;
  const goAway = async () => {
    await service?.stop();
    service = undefined;
  };
  return {
    url,
    get service() {
      if (service === undefined) throw new Error('the service is away');
      return service;
    },
    comeBack: async () => {
      service ??= await start(new URL(url).host);
    },
    goAway,
    end: async () => {
      await goAway();
      await remove();
    },
  };
}
