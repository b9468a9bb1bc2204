import type { App } from '../../app/index.ts';
import type { driverRoutes } from '../../contract/routes/drivers.ts';
import type { HandlersOf } from '../call.ts';

export const driverHandlers = (app: App): HandlersOf<typeof driverRoutes> => ({
  listDrivers: async () => {
    const { os, ...others } = app.listDrivers();
    return { body: { ...others, os: os.map(driver => ({ ...driver, systems: [...driver.systems] })) } };
  },
});
