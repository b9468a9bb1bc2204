// A service that hosts on the bridge can reach. It can be stopped and restarted at the same address with the
// same records.

import { randomBytes } from 'node:crypto';
import { runBridge } from '../harness/real-hosts/run-folder.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { createTestDatabase } from '../harness/stores/stores.ts';

export interface ServiceOnBridge {
  readonly url: string;
  /** Throws while the service is stopped. */
  readonly service: TestService;
  restart(): Promise<void>;
  stop(): Promise<void>;
  end(): Promise<void>;
}

export async function serveOnBridge(settings: Readonly<Record<string, string>>): Promise<ServiceOnBridge> {
  const [{ address }, { folder, remove }] = [await runBridge(), await createTestDatabase('sqlite')];
  const allSettings = {
    ...settings,
    HOSTLER_ALLOW_PLAIN_HTTP: 'true',
    HOSTLER_DATA: folder,
    HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const start = (listen: string) => startTestService('sqlite', { ...allSettings, HOSTLER_LISTEN: listen });
  let service: TestService | undefined = await start(`${address}:0`);
  const { url } = service;
  const stop = async () => {
    await service?.stop();
    service = undefined;
  };
  return {
    url,
    get service() {
      if (service === undefined) throw new Error('the service is stopped');
      return service;
    },
    restart: async () => {
      service ??= await start(new URL(url).host);
    },
    stop,
    end: async () => {
      await stop();
      await remove();
    },
  };
}
