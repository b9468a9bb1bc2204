import { Page } from '../../ui/page.tsx';

export const HostsPage = () => (
  <Page title="Hosts">
    <p>Hosts</p>
  </Page>
);
