import type { TestService } from '../harness/service.ts';

/** The images of hosts are built by the first who needs them. */
export const FIRST_BUILD_MS = 900_000;

/** What the service tells of a host's own status, as far as these tests look at it. */
export interface HostStatus {
  readonly status: string;
  readonly reason?: string;
  readonly hostname?: string;
  readonly boot_id?: string;
  readonly pending_host_key?: { readonly fingerprint: string };
}

export async function hostStatus(service: TestService, address: string | undefined): Promise<HostStatus> {
  return (await service.get<{ host: HostStatus }>(`/api/v0/host/${address}/status`)).body.host;
}
