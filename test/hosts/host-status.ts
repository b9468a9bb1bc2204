import type { TestService } from '../harness/service.ts';

/** The fields of the host status that the tests use. */
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
