import { DriverRecordsPage } from './driver-records-page.tsx';
import { NETWORK } from './kinds.ts';

export const NetworksPage = () => <DriverRecordsPage kind={NETWORK} />;
