import type { Overview } from '../../domain/fleet-stats.ts';
import type { Ports } from '../ports.ts';

export const readOverview = ({ store }: Ports): Promise<Overview> => store.reads.overview.read();
