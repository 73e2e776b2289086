package model

// ChatBilledAs returns a chat model whose calls are charged at the price of another reference.
func ChatBilledAs(p ChatProvider, ref string) (ChatProvider, error) {
	id, err := p.Identity().BilledAs(ref)
	return billedChat{p, id}, err
}

// EmbedBilledAs returns an embedding model whose calls are charged at the price of another reference.
func EmbedBilledAs(p EmbedProvider, ref string) (EmbedProvider, error) {
	id, err := p.Identity().BilledAs(ref)
	return billedEmbed{p, id}, err
}

type billedChat struct {
	ChatProvider
	id Identity
}

func (b billedChat) Identity() Identity { return b.id }

type billedEmbed struct {
	EmbedProvider
	id Identity
}

func (b billedEmbed) Identity() Identity { return b.id }
