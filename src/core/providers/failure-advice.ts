import type { ProviderFailure } from '../../contract/errors';
import type { ProviderFinding, ProviderProblem } from '../../contract/provider-findings';
import { hideSecrets, isSecretInAddress, maskedAddress } from '../foundation';
import type { VendorRow } from './vendors';

interface Situation {
  readonly vendor: VendorRow;
  readonly label: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
  /** The provider's own words. */
  readonly message: string;
  readonly systemCode: string | null;
  /** Whether part of an answer had come. */
  readonly begun: boolean;
  /** Models are asked for, no answer. */
  readonly isList: boolean;
  readonly idleTimeout: number;
  readonly facts: {
    readonly status?: number | null;
    readonly retryAfterMs?: number | null;
    readonly page?: boolean;
    readonly movedTo?: string;
    readonly ownWords?: string;
  };
}

/** A list is asked for by the form that the key stands in. */
function whereTheKeyGoes({ isList, key }: Situation): string {
  if (isList) return key ? 'Paste another one here' : 'Paste one here';
  return key ? 'Put another key into Settings → Providers' : 'Set the key in Settings → Providers';
}

const longestQuote = 300;

/** What happened and what a person can do about it. Long, since it is a table with a row for each failure. */
export function adviceFor(failure: ProviderFailure, situation: Situation): ProviderProblem {
  const { label, model, vendor, facts } = situation;
  // Nothing was sent there, whatever it looks like.
  if (failure !== 'cancelled' && isSecretInAddress(situation.baseUrl)) return secretInAddress(situation);
  const baseUrl = hideSecrets(maskedAddress(situation.baseUrl), likeKeysIn(situation.baseUrl));
  const own = ownWordsOf(situation);
  const words = { label, quote: own };
  const quote = facts.ownWords ? ` ${facts.ownWords}` : own === null ? '' : ` ${label} says: “${own}”`;
  const status = facts.status ?? null;
  const seconds = Math.ceil((facts.retryAfterMs ?? 0) / 1000);
  switch (failure) {
    case 'auth':
      return {
        finding: keyFinding(situation, words),
        message: situation.key
          ? `${label} did not accept the key.${quote}`
          : `${label} needs a key, and there is none.${quote}`,
        next: `${whereTheKeyGoes(situation)}${vendor.keyPage ? `; keys are made at ${vendor.keyPage}` : ''}.`,
      };
    case 'quota':
      return {
        finding: { code: 'no-credit', ...words },
        message: `The account at ${label} has no credit or quota left.${quote}`,
        next: 'Top it up or raise its limit with the provider, or answer with another provider.',
      };
    case 'rate-limit':
      return {
        finding: { code: 'rate-limited', ...words, seconds },
        message: `${label} allows no more requests for now.${quote}`,
        next: seconds > 0 ? `Try again in ${seconds} s.` : 'Try again in a moment.',
      };
    case 'overloaded':
      return {
        finding: { code: 'overloaded', ...words, status },
        message: `${label} has trouble of its own${facts.status ? ` (status ${facts.status})` : ''}.${quote}`,
        next: 'Try again in a moment, or answer with another provider.',
      };
    case 'context-overflow':
      return {
        finding: { code: 'too-long', ...words, model },
        message: `The conversation is longer than ${model} can take.${quote}`,
        next: 'Trim it: start a new chat below, or leave out long notes and tool results.',
      };
    case 'content-filter':
      return {
        finding: { code: 'filtered', ...words },
        message: `${label} declined this request because of its content.${quote}`,
        next: 'Word it differently, or answer with another model.',
      };
    case 'model-not-found':
      return {
        finding: { code: 'no-model', ...words, model, at: placeOf(vendor.id) },
        message: `${label} has no model “${model}”${situation.key ? ' for this key' : ''}.${quote}`,
        next:
          vendor.id === 'ollama'
            ? `Pull it with “ollama pull ${model}”, or choose another model in Settings → Providers.`
            : vendor.id === 'azure'
              ? 'The model must be the name of a deployment. Choose it in Settings → Providers.'
              : 'Choose another model in Settings → Providers; Check lists them.',
      };
    case 'bad-request':
      if (situation.isList && situation.begun)
        return {
          finding: { code: 'no-list', address: baseUrl },
          message: `What came from ${baseUrl} is no list of models.`,
          next: 'Check the base address and the format in Settings → Providers.',
        };
      return facts.status === 404
        ? {
            finding: { code: 'nothing-there', label, address: baseUrl },
            message: `Nothing that answers like ${label} is at ${baseUrl}.`,
            next: 'Check the base address in Settings → Providers.',
          }
        : {
            finding: { code: 'not-understood', ...words, status },
            message: `${label} did not understand the request${facts.status ? ` (status ${facts.status})` : ''}.${quote}`,
            next: 'Check the model, the format and the extra parameters in Settings → Providers.',
          };
    case 'network':
      if (situation.begun && situation.isList) return brokenList(label);
      if (situation.begun)
        return {
          finding: { code: 'answer-broke-off', label },
          message: `The connection to ${label} broke off in the middle of the answer.`,
          next: 'What came so far is kept; run it again for a whole answer.',
        };
      if (facts.page)
        return {
          finding: { code: 'web-page', label, address: baseUrl },
          message: `A web page came from ${baseUrl} instead of an answer of ${label}.`,
          next: 'Check the base address. If it is right, a proxy or the sign-in of a network stands in between: open the address in a browser.',
        };
      if (facts.movedTo)
        return {
          finding: { code: 'moved', address: baseUrl, to: facts.movedTo },
          message: `${baseUrl} sent the request on to ${facts.movedTo}, which was not followed: your key and words are for one place only.`,
          next: 'If that is where it is now, set that base address in Settings → Providers.',
        };
      return {
        finding: {
          ...{ code: 'unreachable', label, address: baseUrl },
          ...{ errno: situation.systemCode, check: networkCheck(situation) },
        },
        message: `${label} can't be reached at ${baseUrl}${situation.systemCode ? ` (${situation.systemCode})` : ''}.`,
        next: networkSteps[networkCheck(situation)],
      };
    case 'timeout':
      return {
        finding: { code: 'silent', label, seconds: Math.round(situation.idleTimeout / 1000) },
        message: `${label} sent nothing for ${Math.round(situation.idleTimeout / 1000)} s.`,
        next: 'Try again, or allow more time in Settings.',
      };
    case 'incomplete':
      if (situation.isList) return brokenList(label);
      return {
        finding: { code: 'answer-broke-off', label },
        message: `The answer from ${label} broke off before its end.`,
        next: 'What came so far is kept; run it again for a whole answer.',
      };
    case 'cancelled':
      return { finding: { code: 'cancelled' }, message: 'Stopped.', next: '' };
  }
}

/** A key that stands there would be shown with the address wherever that is. */
export function secretInAddress({ label, baseUrl }: Pick<Situation, 'label' | 'baseUrl'>): ProviderProblem {
  return {
    finding: { code: 'secret-in-address', label, address: maskedAddress(baseUrl) },
    message: `The address of ${label} (${maskedAddress(baseUrl)}) has a name, a password or a key in it. It was not used.`,
    next: 'Take it out of the address, and put the key into the key field in Settings → Providers.',
  };
}

function brokenList(label: string): ProviderProblem {
  const finding = { code: 'list-broke-off', label } as const;
  return {
    finding,
    message: `The list of models from ${label} broke off before its end.`,
    next: 'Try again.',
  };
}

type Check = Extract<ProviderFinding, { code: 'unreachable' }>['check'];

const networkSteps: Readonly<Record<Check, string>> = {
  certificates: 'The file with certificates cannot be read: see Settings → General, or NODE_EXTRA_CA_CERTS.',
  proxy: 'The proxy refused: check HTTPS_PROXY, with the name and password that it wants.',
  ollama: 'Start Ollama, or set its address in Settings → Providers.',
  encryption: 'It answers without encryption: write http:// instead of https:// in the base address.',
  trust:
    'Its certificate is not trusted. If a proxy of your company is in between, name its certificate file in Settings → General.',
  server: 'Check that the server runs and that the base address is right.',
  network: 'Check the network connection, the base address and any proxy in between.',
};

function networkCheck({ vendor, systemCode }: Situation): Check {
  if (systemCode === 'ECAFILE') return 'certificates';
  if (systemCode === 'EPROXY') return 'proxy';
  if (vendor.id === 'ollama') return 'ollama';
  if (systemCode === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'encryption';
  if (systemCode && /CERT|SIGN|TLS/.test(systemCode)) return 'trust';
  return systemCode === 'ECONNREFUSED' ? 'server' : 'network';
}

function keyFinding(
  { vendor, isList, key }: Situation,
  words: { readonly label: string; readonly quote: string | null },
): ProviderFinding {
  const values = { ...words, keyPage: vendor.keyPage ?? null, isTyped: isList };
  return key ? { code: 'key-refused', ...values } : { code: 'key-missing', ...values, variables: [] };
}

const placeOf = (vendor: string) => (vendor === 'ollama' || vendor === 'azure' ? vendor : 'other');

/** What may be a key in the path of an address, which a server may repeat. */
function likeKeysIn(address: string): string[] {
  const behindHost = address.replace(/^[a-z]+:\/*[^/?#]*/i, '');
  return behindHost.split(/[/?#&;]/).flatMap((part) => {
    const named = /^[^=]*=(.{8,})$/.exec(part)?.[1];
    const isMixed = part.length >= 16 && /\d/.test(part) && /\p{L}/u.test(part);
    return named ? [named] : isMixed ? [part] : [];
  });
}

/** What the provider says, as far as one would read it, without keys. */
function ownWordsOf({ message, key, baseUrl }: Situation): string | null {
  const text = message.replace(/\s+/g, ' ').trim();
  if (text === '' || text.startsWith('<')) return null;
  const safe = hideSecrets(text, [...(key ? [key] : []), ...likeKeysIn(baseUrl)]);
  return safe.length > longestQuote ? `${safe.slice(0, longestQuote)}…` : safe;
}
