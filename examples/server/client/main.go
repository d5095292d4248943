// client session [BODY.json]        asks one person: prints the page's address, waits, verifies the signed record
// client compare SELFIE PORTRAIT    compares two photos
//
// FACEVERIFY_SERVER is the server's address, FACEVERIFY_KEY a key of `faceverify serve key add`, FACEVERIFY_TRUSTED the file
// of the public key that the record must be signed with. The standard library is all that it needs.
// Exit codes: 0 passed or match, 1 failed or no match, 2 wrong use, 3 could not be done, 4 neither.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"time"
)

const usage = "usage: client session [BODY.json] | client compare SELFIE PORTRAIT"

var client = http.Client{Timeout: time.Minute}

func call(method, path, contentType string, body io.Reader, into any) error {
	server := os.Getenv("FACEVERIFY_SERVER")
	if server == "" {
		server = "http://127.0.0.1:8443"
	}
	request, err := http.NewRequest(method, server+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("FACEVERIFY_KEY"))
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		var problem struct{ Detail string }
		_ = json.Unmarshal(content, &problem)
		return fmt.Errorf("%s: %s", answer.Status, problem.Detail)
	}
	return json.Unmarshal(content, into)
}

type record struct {
	Schema    json.RawMessage `json:"schema"`
	Body      json.RawMessage `json:"body"`
	Signature struct{ Algorithm, Key, Value string }
}

// An answer is JSON in its canonical form (RFC 8785): so what was signed is there, byte for byte.
func (record record) verify(trusted string) error {
	signature, err := base64.StdEncoding.DecodeString(record.Signature.Value)
	if err != nil {
		return err
	}
	key, err := base64.StdEncoding.DecodeString(record.Signature.Key)
	if err != nil {
		return err
	}
	if trusted != "" {
		text, err := os.ReadFile(trusted)
		if err != nil {
			return err
		}
		block, _ := pem.Decode(text)
		if block == nil {
			return errors.New(trusted + " is no PEM file")
		}
		public, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return err
		}
		if expected, ok := public.(ed25519.PublicKey); !ok || !bytes.Equal(expected, key) {
			return errors.New("another key signed the record than the trusted one")
		}
	}
	signed := fmt.Sprintf(`{"body":%s,"schema":%s}`, record.Body, record.Schema)
	if record.Signature.Algorithm != "Ed25519" || len(key) != ed25519.PublicKeySize ||
		!ed25519.Verify(key, []byte(signed), signature) {
		return errors.New("the record was changed after it was signed")
	}
	return nil
}

func ask(file string) (string, error) {
	body := []byte(`{"requests": [{"category": "face"}], "comparesFace": false,
		"consents": [{"text": "May your face be looked at?", "isActive": true}]}`)
	if file != "" {
		var err error
		if body, err = os.ReadFile(file); err != nil {
			return "", err
		}
	}
	var session struct{ WorkflowExecutionID, PageURL, State string }
	if err := call("POST", "/v1/sessions", "application/json", bytes.NewReader(body), &session); err != nil {
		return "", err
	}
	fmt.Println(session.PageURL)
	path := "/v1/sessions/" + session.WorkflowExecutionID
	for session.State != "finished" && session.State != "expired" && session.State != "cleared" {
		time.Sleep(time.Second)
		if err := call("GET", path, "", nil, &session); err != nil {
			return "", err
		}
	}
	var result struct {
		Result string
		Record record
	}
	if err := call("GET", path+"/result", "", nil, &result); err != nil {
		return "", err
	}
	return result.Result, result.Record.verify(os.Getenv("FACEVERIFY_TRUSTED"))
}

func compare(files map[string]string) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		part, err := form.CreateFormFile(name, name)
		if err != nil {
			return "", err
		}
		if _, err := part.Write(content); err != nil {
			return "", err
		}
	}
	if err := form.Close(); err != nil {
		return "", err
	}
	var decision struct{ Result string }
	err := call("POST", "/v1/compare", form.FormDataContentType(), &body, &decision)
	return decision.Result, err
}

func main() {
	arguments := os.Args[1:]
	var result string
	var err error
	switch {
	case os.Getenv("FACEVERIFY_KEY") == "":
		fmt.Fprintln(os.Stderr, "client: FACEVERIFY_KEY is not set")
		os.Exit(2)
	case len(arguments) == 1 && arguments[0] == "session":
		result, err = ask("")
	case len(arguments) == 2 && arguments[0] == "session":
		result, err = ask(arguments[1])
	case len(arguments) == 3 && arguments[0] == "compare":
		result, err = compare(map[string]string{"selfie": arguments[1], "portrait": arguments[2]})
	default:
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(3)
	}
	fmt.Println(result)
	switch result {
	case "passed", "match":
	case "failed", "no-match":
		os.Exit(1)
	default:
		os.Exit(4)
	}
}
