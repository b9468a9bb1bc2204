// Entry point of the dashboard. The dashboard has no rules of its own: the server decides what is allowed (`can`, roles
// of routes, schemas of drivers), and every action is an API call.

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { serverClock } from './api/server-clock.ts';
import { reloadAfterUpgrade } from './app/page-loading.tsx';
import { createAppRouter, preloadPages } from './app/router.tsx';
import { AuthGate } from './auth/auth-gate.tsx';
import { emitSignedOut, SessionProvider } from './auth/session.tsx';
import { invalidateOnEvents } from './live/live-queries.ts';
import { applyTheme } from './ui/theme.ts';
import { ticker } from './ui/ticker.ts';
import './ui/tokens.css';
import './ui/base.css';

const PRELOAD_DELAY_MS = 1000;

applyTheme();
ticker.setOffset(() => serverClock.offsetMs);

const queryClient = createQueryClient(emitSignedOut);
invalidateOnEvents(queryClient);

reloadAfterUpgrade();

const router = createAppRouter();
// The requested page loads first.
setTimeout(() => preloadPages(router).catch(() => {}), PRELOAD_DELAY_MS);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <AuthGate>
          <RouterProvider router={router} />
        </AuthGate>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
