import { Page } from '../../ui/page.tsx';

export const HostPage = () => (
  <Page title="Host">
    <p>Host</p>
  </Page>
);
