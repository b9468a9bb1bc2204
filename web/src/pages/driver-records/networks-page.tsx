import { Page } from '../../ui/page.tsx';

export const NetworksPage = () => (
  <Page title="Networks">
    <p>Networks</p>
  </Page>
);
