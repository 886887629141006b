import type { ProviderFinding, ProviderProblem } from '../../../contract/provider-findings';
import { listed } from './format';
import { t, useLanguage } from './text';

/** What is wrong with a provider, and what a person can do about it, in their language. */
export function problemWords({ finding, message, next }: ProviderProblem): { what: string; next: string } {
  if (finding === undefined) return { what: message, next };
  return { what: findingText(finding, message), next: adviceText(finding, next) };
}

/** The same in a row. */
export const problemText = (problem: ProviderProblem): string =>
  t('finding.whole', problemWords(problem)).trim();

function findingText(finding: ProviderFinding, message: string): string {
  const what = whatText(finding, message);
  if (!('quote' in finding) || finding.quote === null) return what;
  const { label, quote } = finding;
  return t('finding.said', { what, label, quote, message });
}

function whatText(finding: ProviderFinding, message: string): string {
  switch (finding.code) {
    case 'key-refused':
    case 'key-missing':
    case 'no-credit':
    case 'rate-limited':
    case 'filtered':
    case 'list-broke-off':
    case 'answer-broke-off':
      return t(`finding.${finding.code}`, { label: finding.label, message });
    case 'overloaded':
    case 'not-understood': {
      const { code, label, status } = finding;
      return status === null
        ? t(`finding.${code}`, { label, message })
        : t(`finding.${code}.status`, { label, status, message });
    }
    case 'too-long':
      return t('finding.too-long', { model: finding.model, message });
    case 'no-model':
      return t('finding.no-model', { label: finding.label, model: finding.model, message });
    case 'no-list':
    case 'no-web-address':
      return t(`finding.${finding.code}`, { address: finding.address, message });
    case 'nothing-there':
    case 'web-page':
    case 'secret-in-address':
      return t(`finding.${finding.code}`, { label: finding.label, address: finding.address, message });
    case 'moved':
      return t('finding.moved', { address: finding.address, to: finding.to, message });
    case 'unreachable': {
      const { label, address, errno } = finding;
      return errno === null
        ? t('finding.unreachable', { label, address, message })
        : t('finding.unreachable.errno', { label, address, errno, message });
    }
    case 'silent':
      return t('finding.silent', { label: finding.label, seconds: finding.seconds, message });
    case 'cancelled':
    case 'no-address':
      return t(`finding.${finding.code}`, { message });
  }
}

function adviceText(finding: ProviderFinding, message: string): string {
  switch (finding.code) {
    case 'key-refused':
    case 'key-missing':
      return keyAdvice(finding, message);
    case 'no-list':
    case 'nothing-there':
      return t('advice.address', { message });
    case 'list-broke-off':
      return t('advice.again', { message });
    case 'rate-limited':
      return finding.seconds > 0
        ? t('advice.rate-limited.seconds', { seconds: finding.seconds, message })
        : t('advice.rate-limited', { message });
    case 'no-model':
      return finding.at === 'ollama'
        ? t('advice.no-model.ollama', { model: finding.model, message })
        : t(`advice.no-model.${finding.at}`, { message });
    case 'unreachable': {
      const { check } = finding;
      if (check === 'proxy' || check === 'trust' || check === 'network') return t(`advice.${check}`);
      return t(`advice.${check}`, { message });
    }
    case 'no-address':
    case 'no-web-address':
      return t('advice.type-address', { message });
    case 'web-page':
      return t('advice.web-page');
    case 'cancelled':
      return '';
    case 'no-credit':
    case 'overloaded':
    case 'too-long':
    case 'filtered':
    case 'not-understood':
    case 'answer-broke-off':
    case 'moved':
    case 'silent':
    case 'secret-in-address':
      return t(`advice.${finding.code}`, { message });
  }
}

const isEnglish = () => useLanguage.getState().language === 'en';

type KeyFinding = Extract<ProviderFinding, { code: 'key-refused' | 'key-missing' }>;

function keyAdvice(finding: KeyFinding, message: string): string {
  if (isEnglish()) return message;
  const { isTyped, keyPage } = finding;
  const variables = finding.code === 'key-missing' ? finding.variables : [];
  return [
    t(isTyped ? 'advice.key.typed' : 'advice.key', { message }),
    ...(keyPage === null ? [] : [t('advice.key.page', { page: keyPage, message })]),
    ...(variables.length === 0 ? [] : [t('advice.key.variables', { variables: listed(variables), message })]),
  ].join('');
}
