import type { ViewPolicy } from './content-policy';

/** Everything that a browser could grant a page; a name that it does not know does nothing. */
const nothingAllowed =
  'accelerometer ambient-light-sensor aria-notify attribution-reporting autoplay battery bluetooth browsing-topics camera captured-surface-control clipboard-read clipboard-write compute-pressure cross-origin-isolated deferred-fetch deferred-fetch-minimal digital-credentials-create digital-credentials-get direct-sockets display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get idle-detection join-ad-interest-group keyboard-lock keyboard-map language-detector language-model local-fonts local-network-access magnetometer microphone midi on-device-speech-recognition otp-credentials payment picture-in-picture pointer-lock private-aggregation private-state-token-issuance private-state-token-redemption publickey-credentials-create publickey-credentials-get run-ad-auction screen-wake-lock serial shared-storage shared-storage-select-url speaker-selection storage-access summarizer sync-xhr translator unload usb usb-unrestricted web-share window-management writer xr-spatial-tracking'
    .split(' ')
    .map((name) => `${name}=()`)
    .join(', ');

/** What a view's page is served with. */
export const pageHeaders = (policy: ViewPolicy, framedBy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [...policy.directives, `frame-ancestors ${framedBy}`].join('; '),
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'permissions-policy': nothingAllowed,
});
