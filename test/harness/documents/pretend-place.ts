// A reader with a service that runs already, in this process, and whose hosts are pretended: for documents that are about requests.

import type { Address } from '../../../src/domain/addresses/address.ts';
import type { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { SimulatedHostSpec } from '../../../src/simulator/simulation-context.ts';
import { PRIVATE_KEY } from '../keys.ts';
import type { TestService } from '../service.ts';
import { ADMIN_PASSWORD, startTestService } from '../service.ts';
import { newFleet } from '../simulated-service.ts';
import { until } from '../until.ts';
import type { ReaderPlace } from './reader-place.ts';
import { makeReaderPlace } from './reader-place.ts';
import { tourAt } from './tour.ts';

export interface PretendPlace {
  readonly service: TestService;
  readonly fleet: SimulatedFleet;
  readonly place: ReaderPlace;
  /** `api` and `URL`, as the tour defines them. */
  readonly tour: string;
  /** Brings a pretend host into a cluster, which is made if it is not there. */
  enrol(address: string, cluster: string): Promise<void>;
  stop(): Promise<void>;
}

interface Wanted {
  /** Pretend hosts that the service does not know yet. */
  readonly hosts?: Readonly<Record<string, Partial<SimulatedHostSpec>>>;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function makePretendPlace({ hosts = {}, settings = {} }: Wanted = {}): Promise<PretendPlace> {
  const fleet = newFleet();
  for (const [address, spec] of Object.entries(hosts))
    fleet.add(address as Address, { os: 'debian', ...spec });
  const service = await startTestService('sqlite', settings, { transport: fleet.transport });
  const place = await makeReaderPlace({ HOSTLER_URL: service.url, HOSTLER_PASSWORD: ADMIN_PASSWORD });
  return {
    service,
    fleet,
    place,
    tour: tourAt(service.url, ADMIN_PASSWORD),
    enrol: async (address, cluster) => {
      await service.client.putCluster({ name: cluster, body: { network: 'default' } });
      await service.client.putHost({ address, body: { ssh_priv_key: PRIVATE_KEY, cluster } });
      await until(
        `${address} is active`,
        async () => (await service.client.getHost({ address })).body.status === 'active',
      );
    },
    stop: async () => {
      place.remove();
      await service.stop();
    },
  };
}
