import type { Host } from './host.ts';

/** Whether people have taken a host out of service, and why; in the words of the wire. */
export type Maintenance = {
  readonly on: boolean;
  /** `''`: not said, or off. */
  readonly reason: string;
};

export const maintenanceOf = ({ maintenance }: Pick<Host, 'maintenance'>): Maintenance => ({
  on: maintenance !== null,
  reason: maintenance ?? '',
});
