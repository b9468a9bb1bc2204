import type { Overview } from '../../domain/overview/overview.ts';
import type { Ports } from '../ports.ts';

export const readOverview = ({ store }: Ports): Promise<Overview> => store.reads.overview.read();
