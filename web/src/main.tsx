// The dashboard. It has no rule of its own: what may be done is what the service says (`can`, roles of routes, schemas of drivers), and all
// that it does is a call of the API.

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { newQueryClient } from './api/query-client.ts';
import { serviceClock } from './api/service-clock.ts';
import { reloadAfterUpgrade } from './app/reload-after-upgrade.ts';
import { loadPages, newRouter } from './app/router.tsx';
import { keepFresh } from './live/keep-fresh.ts';
import { Gate } from './session/gate.tsx';
import { SessionProvider } from './session/session.tsx';
import { tellSignedOut } from './session/signed-out.ts';
import { wearTheme } from './ui/theme.ts';
import { ticker } from './ui/ticker.ts';
import './ui/tokens.css';
import './ui/base.css';

const LOAD_OTHERS_AFTER_MS = 1000;

wearTheme();
ticker.goBy(() => serviceClock.aheadMs);

const queryClient = newQueryClient(tellSignedOut);
keepFresh(queryClient);

reloadAfterUpgrade();

const router = newRouter();
// What was asked for comes first.
setTimeout(() => loadPages(router).catch(() => {}), LOAD_OTHERS_AFTER_MS);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <Gate>
          <RouterProvider router={router} />
        </Gate>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
