import { DriverRecordsPage } from './driver-records-page.tsx';
import { CONTAINER_MANAGER } from './kinds.ts';

export const ContainerManagersPage = () => <DriverRecordsPage kind={CONTAINER_MANAGER} />;
