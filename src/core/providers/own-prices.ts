import { createObservable, throwUnlessSeen } from '../foundation';
import type { SettingsStore } from '../settings';
import { priceList } from './prices';
import type { Providers } from './providers';

/** Prices of models: the list, and what a person set instead. */
export function createPrices(settings: SettingsStore): Pick<Providers, 'prices' | 'setPrice'> {
  const prices = createObservable(priceList(settings.current.get().prices));
  settings.current.onChange(({ prices: own }) => prices.set(priceList(own)));

  return {
    prices,
    setPrice(vendor, model, price, seen) {
      const own = settings.current.get().prices;
      const { [model]: before, ...others } = own[vendor] ?? {};
      throwUnlessSeen(seen, before);
      settings.change({ prices: { ...own, [vendor]: price ? { ...others, [model]: price } : others } });
    },
  };
}
